#pragma once
// A value that is made when it is first asked for, once, however many ask (.NET: Lazy<T>).
#include <atomic>
#include <mutex>
#include <string>

namespace subjects::lineup {

class LazyInitialization {
 public:
  ~LazyInitialization() { delete value_.load(); }

  int value() {
    if (const int* const made = value_.load(std::memory_order_acquire)) return *made;
    const std::lock_guard lock{mutex_};
    if (value_.load(std::memory_order_relaxed) == nullptr) {
      value_.store(new int{++times_made_}, std::memory_order_release);
    }
    return *value_.load(std::memory_order_relaxed);
  }

  /// The value as text; does not make it.
  std::string to_string() const {
    const int* const made = value_.load(std::memory_order_acquire);
    return made != nullptr ? std::to_string(*made) : "not created";
  }

  bool is_value_created() const { return value_.load(std::memory_order_acquire) != nullptr; }

 private:
  std::mutex mutex_;
  std::atomic<const int*> value_{nullptr};
  int times_made_ = 0;  // guarded by mutex_
};

}  // namespace subjects::lineup
