#pragma once
// The quasi stack of Round-Up, Table I: without a fault it is linearizable.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "pick.hpp"

namespace subjects::roundup {

enum class QuasiStackFault {
  kNone,
  kGivesUp,      ///< b1: a pop that finds the stack busy answers that it is empty.
  kLooksTooFar,  ///< b2: pops an item up to twice the factor + 1 below the top.
};

template <class Pick = SeededPick, QuasiStackFault fault = QuasiStackFault::kNone>
class QuasiStack {
 public:
  explicit QuasiStack(unsigned factor, Pick pick = Pick{}) : factor_{factor}, pick_(pick) {}

  void push(int value) {
    const std::lock_guard lock{mutex_};
    items_.push_back(value);
    size_.store(items_.size());
  }

  std::optional<int> pop() {
    std::unique_lock lock{mutex_, std::defer_lock};
    if constexpr (fault == QuasiStackFault::kGivesUp) {
      if (!lock.try_lock()) return std::nullopt;
    } else {
      lock.lock();
    }
    if (items_.empty()) return std::nullopt;
    const auto chosen = items_.end() - 1 - depth();
    const int value = *chosen;
    items_.erase(chosen);
    size_.store(items_.size());
    return value;
  }

  /// Without the lock.
  std::size_t size() const { return size_.load(); }

 private:
  std::ptrdiff_t depth() {
    if constexpr (fault != QuasiStackFault::kLooksTooFar) return 0;
    const unsigned reach = 2 * factor_ + 2;
    return pick_(std::min<unsigned>(reach, static_cast<unsigned>(items_.size())));
  }

  const unsigned factor_;
  Pick pick_;
  std::mutex mutex_;
  std::vector<int> items_;
  std::atomic<std::size_t> size_{0};  // of items_, changed under mutex_
};

}  // namespace subjects::roundup
