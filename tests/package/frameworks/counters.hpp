#pragma once
#include <atomic>
#include <deque>
#include <mutex>
#include <optional>

struct Counter {
  int next() { return value.fetch_add(1) + 1; }
  std::atomic<int> value{0};
};

template <class T>
class WorkQueue {
 public:
  void add(T value) {
    const std::lock_guard lock(mutex_);
    items_.push_back(value);
  }
  std::optional<T> try_take() {
    const std::lock_guard lock(mutex_);
    if (items_.empty()) return std::nullopt;
    const T front = items_.front();
    items_.pop_front();
    return front;
  }

 private:
  std::mutex mutex_;
  std::deque<T> items_;
};

struct LossyCounter {
  int next() {
    const int seen = value.load();
    value.store(seen + 1);
    return seen + 1;
  }
  std::atomic<int> value{0};
};
