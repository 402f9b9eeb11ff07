// The worker looks at the stop flag before the queue: shutting down loses submitted tasks.
#include <condition_variable>
#include <deque>
#include <functional>
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

namespace {

class Pool {
 public:
  Pool() : worker_{[this] { work(); }} {}

  ~Pool() {
    {
      const std::lock_guard lock{mutex_};
      stopping_ = true;
    }
    changed_.notify_all();
    worker_.join();
  }

  void submit(std::function<void()> task) {
    {
      const std::lock_guard lock{mutex_};
      tasks_.push_back(std::move(task));
    }
    changed_.notify_one();
  }

 private:
  void work() {
    std::unique_lock lock{mutex_};
    for (;;) {
      changed_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
      if (stopping_) return;
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool stopping_ = false;
  std::thread worker_;
};

}  // namespace

MUSTER_SCENARIO(thread_pool_shutdown) {
  int done = 0;
  {
    Pool pool;
    pool.submit([&] { ++done; });
    pool.submit([&] { ++done; });
  }
  MUSTER_REQUIRE(done == 2);
}
