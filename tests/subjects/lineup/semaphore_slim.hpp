#pragma once
// A counting semaphore (.NET: SemaphoreSlim): the count is changed under a lock and looked at without one.
#include <atomic>
#include <condition_variable>
#include <mutex>

namespace subjects::lineup {

class SemaphoreSlim {
 public:
  explicit SemaphoreSlim(int count = 1) : count_{count} {}

  int current_count() const { return count_.load(); }

  /// Gives `permits` back; returns the count before.
  int release(int permits = 1) {
    const std::lock_guard lock{mutex_};
    const int before = count_.load();
    count_.store(before + permits);
    if (permits == 1) {
      released_.notify_one();
    } else {
      released_.notify_all();
    }
    return before;
  }

  void wait() {
    std::unique_lock lock{mutex_};
    released_.wait(lock, [this] { return count_.load() > 0; });
    count_.store(count_.load() - 1);
  }

  /// Wait(0): takes a permit if there is one now. A count of zero is believed without the lock.
  bool try_wait() {
    if (count_.load() == 0) return false;
    const std::lock_guard lock{mutex_};
    if (count_.load() == 0) return false;
    count_.store(count_.load() - 1);
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable released_;
  std::atomic<int> count_;  // changed under mutex_
};

}  // namespace subjects::lineup
