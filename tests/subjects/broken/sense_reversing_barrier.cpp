// The sense is turned before the count is put back: a quick thread counts itself in the old round, and both spin for
// ever.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

class SenseBarrier {
 public:
  explicit SenseBarrier(int threads) : threads_{threads}, missing_{threads} {}

  /// Each thread keeps its own sense, false at first.
  void arrive_and_wait(bool& sense) {
    sense = !sense;
    if (missing_.fetch_sub(1) == 1) {
      sense_.store(sense);
      missing_.store(threads_);
    } else {
      while (sense_.load() != sense) std::this_thread::yield();
    }
  }

 private:
  const int threads_;
  std::atomic<int> missing_;
  std::atomic<bool> sense_{false};
};

}  // namespace

MUSTER_SCENARIO(sense_reversing_barrier) {
  SenseBarrier barrier{2};
  const auto rounds = [&] {
    bool sense = false;
    barrier.arrive_and_wait(sense);
    barrier.arrive_and_wait(sense);
  };
  std::thread a{rounds};
  rounds();
  a.join();
}
