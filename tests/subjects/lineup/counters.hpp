#pragma once
// The counters of Line-Up, sections 2.1.2, 2.2.1 and 2.2.2.
#include <atomic>
#include <condition_variable>
#include <mutex>

namespace subjects::lineup {

/// Figure 3's specification: `dec` waits while the count is zero.
class Counter {
 public:
  void inc() {
    const std::lock_guard lock{mutex_};
    ++count_;
    increased_.notify_one();
  }

  void dec() {
    std::unique_lock lock{mutex_};
    increased_.wait(lock, [this] { return count_ > 0; });
    --count_;
  }

  int get() {
    const std::lock_guard lock{mutex_};
    return count_;
  }

  void set(int count) {
    const std::lock_guard lock{mutex_};
    count_ = count;
    increased_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable increased_;
  int count_ = 0;
};

/// Section 2.2.1: `inc` takes no lock, so one of two increments may be lost.
class Counter1 {
 public:
  void inc() { count_.store(count_.load() + 1); }
  int get() const { return count_.load(); }

 private:
  std::atomic<int> count_{0};
};

/// Section 2.2.2, Figure 4: `get` keeps the lock, so whatever comes next is stuck.
class Counter2 {
 public:
  void inc() {
    mutex_.lock();
    ++count_;
    mutex_.unlock();
  }

  int get() {
    mutex_.lock();
    return count_;
  }

 private:
  std::mutex mutex_;
  int count_ = 0;
};

}  // namespace subjects::lineup
