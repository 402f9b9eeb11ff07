#pragma once
// A BlockingCollection that is deterministically linearizable: everything happens under one lock. The twin to compare
// with.
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <vector>

namespace subjects::lineup {

class StrictBlockingCollection {
 public:
  int count() { return static_cast<int>(to_array().size()); }

  std::vector<int> to_array() {
    const std::lock_guard lock{mutex_};
    return {items_.begin(), items_.end()};
  }

  bool is_adding_completed() {
    const std::lock_guard lock{mutex_};
    return closed_;
  }

  bool is_completed() {
    const std::lock_guard lock{mutex_};
    return closed_ && items_.empty();
  }

  void complete_adding() {
    const std::lock_guard lock{mutex_};
    closed_ = true;
    changed_.notify_all();
  }

  void add(int value) {
    if (!try_add(value)) throw std::logic_error("adding is completed");
  }

  bool try_add(int value) {
    const std::lock_guard lock{mutex_};
    if (closed_) return false;
    items_.push_back(value);
    changed_.notify_one();
    return true;
  }

  bool try_add_for(int value, std::chrono::milliseconds) { return try_add(value); }

  int take() {
    const std::optional<int> taken = take_with_enum();
    if (!taken) throw std::logic_error("completed and empty");
    return *taken;
  }

  std::optional<int> take_with_enum() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return closed_ || !items_.empty(); });
    return remove_first();
  }

  std::optional<int> try_take() {
    const std::lock_guard lock{mutex_};
    return remove_first();
  }

  std::optional<int> try_take_for(std::chrono::milliseconds patience) {
    std::unique_lock lock{mutex_};
    changed_.wait_for(lock, patience, [this] { return closed_ || !items_.empty(); });
    return remove_first();
  }

 private:
  std::optional<int> remove_first() {
    if (items_.empty()) return std::nullopt;
    const int value = items_.front();
    items_.pop_front();
    return value;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int> items_;
  bool closed_ = false;
};

}  // namespace subjects::lineup
