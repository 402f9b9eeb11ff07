#pragma once
// Checks that `muster new` writes. Each passes, and a line says what to put in its place to see one that fails.

#include <string_view>

namespace muster::cli {

struct NewSample {
  std::string_view words;  // in names of what it fits
  std::string_view source;
};

constexpr NewSample new_samples[] = {
    {"channel mailbox inbox", R"(#include <condition_variable>
#include <deque>
#include <muster/check.hpp>
#include <mutex>

class @CLASS@ {
 public:
  void send(int value) {
    std::lock_guard lock(mutex_);
    values_.push_back(value);
    arrived_.notify_one();
  }
  int receive() {
    std::unique_lock lock(mutex_);
    while (values_.empty()) arrived_.wait(lock);  // try: if (values_.empty()) arrived_.wait(lock);
    const int value = values_.front();
    values_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<int> values_;
};

MUSTER_CHECK(@NAME@) {
  auto channel = check.object<@CLASS@>();
  channel.operation("send", &@CLASS@::send).with(1).with(2);
  channel.operation("receive", &@CLASS@::receive);
}
)"},
    {"queue fifo buffer ring", R"(#include <deque>
#include <muster/check.hpp>
#include <mutex>
#include <optional>

class @CLASS@ {
 public:
  void push(int value) {
    std::lock_guard lock(mutex_);
    values_.push_back(value);
  }
  std::optional<int> try_pop() {
    std::unique_lock lock(mutex_);  // try: std::unique_lock lock(mutex_, std::try_to_lock); if (!lock) return {};
    if (values_.empty()) return std::nullopt;
    const int value = values_.front();
    values_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::deque<int> values_;
};

MUSTER_CHECK(@NAME@) {
  auto queue = check.object<@CLASS@>();
  queue.operation("push", &@CLASS@::push).with(1).with(2);
  queue.operation("try_pop", &@CLASS@::try_pop);
}
)"},
    {"stack lifo", R"(#include <muster/check.hpp>
#include <mutex>
#include <optional>
#include <vector>

class @CLASS@ {
 public:
  void push(int value) {
    std::lock_guard lock(mutex_);
    values_.push_back(value);
  }
  std::optional<int> try_pop() {
    std::unique_lock lock(mutex_);  // try: std::unique_lock lock(mutex_, std::try_to_lock); if (!lock) return {};
    if (values_.empty()) return std::nullopt;
    const int value = values_.back();
    values_.pop_back();
    return value;
  }

 private:
  std::mutex mutex_;
  std::vector<int> values_;
};

MUSTER_CHECK(@NAME@) {
  auto stack = check.object<@CLASS@>();
  stack.operation("push", &@CLASS@::push).with(1).with(2);
  stack.operation("try_pop", &@CLASS@::try_pop);
}
)"},
    {"lock mutex", R"(#include <atomic>
#include <muster/check.hpp>
#include <mutex>

class @CLASS@ {
 public:
  void lock() { while (held_.exchange(true)) {} }  // try: void lock() { while (held_) {} held_ = true; }
  void unlock() { held_ = false; }

 private:
  std::atomic<bool> held_{false};
};

// A lock answers nothing: it is judged by what it protects.
class CounterUnder@CLASS@ {
 public:
  int next() {
    std::lock_guard lock(lock_);
    return value_++;
  }

 private:
  @CLASS@ lock_;
  int value_ = 0;
};

MUSTER_CHECK(@NAME@) {
  auto counter = check.object<CounterUnder@CLASS@>();
  counter.operation("next", &CounterUnder@CLASS@::next);
}
)"},
    {"map cache table store index dictionary registry", R"(#include <map>
#include <muster/check.hpp>
#include <mutex>
#include <optional>

class @CLASS@ {
 public:
  void put(int key, int value) {
    std::lock_guard lock(mutex_);
    values_[key] = value;
  }
  std::optional<int> get(int key) {
    std::unique_lock lock(mutex_);  // try: std::unique_lock lock(mutex_, std::defer_lock);
    const auto found = values_.find(key);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::mutex mutex_;
  std::map<int, int> values_;
};

MUSTER_CHECK(@NAME@) {
  auto map = check.object<@CLASS@>();
  map.operation("put", &@CLASS@::put).with(1, 10).with(1, 20);
  map.operation("get", &@CLASS@::get).with(1);
}
)"},
    {"", R"(#include <atomic>
#include <muster/check.hpp>

class @CLASS@ {
 public:
  int next() { return value_.fetch_add(1); }  // try: int next() { const int seen = value_; value_ = seen + 1; return seen; }

 private:
  std::atomic<int> value_{0};
};

MUSTER_CHECK(@NAME@) {
  auto counter = check.object<@CLASS@>();
  counter.operation("next", &@CLASS@::next);
}
)"},
};

}  // namespace muster::cli
