#pragma once
// A queue that notices when all of its n threads wait for an item, and then gives all of them nothing (Lowe, section
// 1).
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

namespace subjects::synchronisation {

enum class TerminatingQueueFault {
  kNone,
  kCountsFirst,  ///< A dequeue counts those who wait before it looks for an item: it gives up with an item in the
                 ///< queue.
  kWakesOne,     ///< Progress: who notices the end wakes one of those who wait.
};

template <TerminatingQueueFault fault = TerminatingQueueFault::kNone>
class TerminatingQueue {
 public:
  explicit TerminatingQueue(int threads) : threads_{threads} {}

  void enqueue(int value) {
    const std::lock_guard lock{mutex_};
    items_.push_back(value);
    changed_.notify_one();
  }

  /// Nothing once all threads have waited at the same time.
  std::optional<int> dequeue() {
    std::unique_lock lock{mutex_};
    if (fault == TerminatingQueueFault::kCountsFirst && waiting_ + 1 == threads_) return end();
    if (!done_ && items_.empty()) {
      if (waiting_ + 1 == threads_) return end();
      ++waiting_;
      changed_.wait(lock, [this] { return done_ || !items_.empty(); });
      --waiting_;
    }
    if (done_) return std::nullopt;
    const int value = items_.front();
    items_.pop_front();
    return value;
  }

 private:
  std::optional<int> end() {
    done_ = true;
    if constexpr (fault == TerminatingQueueFault::kWakesOne) {
      changed_.notify_one();
    } else {
      changed_.notify_all();
    }
    return std::nullopt;
  }

  const int threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int> items_;
  int waiting_ = 0;
  bool done_ = false;
};

}  // namespace subjects::synchronisation
