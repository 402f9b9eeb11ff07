#pragma once
// An object with a thread of its own: one worker that runs what is submitted, in order. `completed` depends on how far
// the worker has got; `drain` waits until it has nothing to do, and is deterministic.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace subjects::lineup {

class ThreadPool {
 public:
  ThreadPool() : worker_{[this] { work(); }} {}

  ~ThreadPool() {
    {
      const std::lock_guard lock{mutex_};
      stopping_ = true;
    }
    changed_.notify_all();
    worker_.join();
  }

  void submit(int amount) {
    const std::lock_guard lock{mutex_};
    waiting_.push_back(amount);
    changed_.notify_all();
  }

  /// The sum of what the worker has done so far.
  int completed() {
    const std::lock_guard lock{mutex_};
    return sum_;
  }

  /// Waits until everything submitted is done; the sum of it.
  int drain() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return waiting_.empty() && !running_; });
    return sum_;
  }

 private:
  void work() {
    std::unique_lock lock{mutex_};
    for (;;) {
      changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const int amount = waiting_.front();
      waiting_.pop_front();
      running_ = true;
      lock.unlock();
      // What a task does needs no lock.
      lock.lock();
      sum_ += amount;
      running_ = false;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int> waiting_;
  int sum_ = 0;
  bool running_ = false;
  bool stopping_ = false;
  std::thread worker_;
};

}  // namespace subjects::lineup
