// A barrier used twice: a waiting thread waits for its own generation to end.
#include <condition_variable>
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

namespace {

class Barrier {
 public:
  explicit Barrier(int threads) : threads_{threads} {}

  void arrive_and_wait() {
    std::unique_lock lock{mutex_};
    const unsigned mine = generation_;
    if (++arrived_ == threads_) {
      arrived_ = 0;
      ++generation_;
      released_.notify_all();
      return;
    }
    released_.wait(lock, [&] { return generation_ != mine; });
  }

 private:
  const int threads_;
  std::mutex mutex_;
  std::condition_variable released_;
  int arrived_ = 0;
  unsigned generation_ = 0;
};

}  // namespace

MUSTER_SCENARIO(barrier_reuse) {
  Barrier barrier{2};
  const auto rounds = [&] {
    barrier.arrive_and_wait();
    barrier.arrive_and_wait();
  };
  std::thread a{rounds};
  rounds();
  a.join();
}
