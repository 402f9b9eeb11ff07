// A worker takes jobs until it is told to stop. Its predicate reads an atomic and a plain variable, both of which
// change under the mutex.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "muster/scenario.hpp"

namespace {

class Worker {
 public:
  void submit() {
    {
      std::lock_guard lock(mutex_);
      ++jobs_;
    }
    wake_.notify_one();
  }
  ~Worker() {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }

 private:
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || jobs_ > 0; });
      if (jobs_ == 0) return;
      --jobs_;
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<bool> stop_{false};
  int jobs_ = 0;
  std::thread thread_{[this] { work(); }};
};

}  // namespace

MUSTER_SCENARIO(stopped_worker) {
  Worker worker;
  worker.submit();
  worker.submit();
}
