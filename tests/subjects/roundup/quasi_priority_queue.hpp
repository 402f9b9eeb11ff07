#pragma once
// A relaxed priority queue (Round-Up, Table I): deq_min takes one of the factor + 1 smallest keys, and passes over each
// smaller one at most `factor` times in its life.
#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

#include "pick.hpp"

namespace subjects::roundup {

enum class QuasiPriorityQueueFault {
  kNone,
  kLooksTooFar,  ///< b2: takes any of the 2 * factor + 2 smallest keys, and counts nothing.
};

template <class Pick = SeededPick, QuasiPriorityQueueFault fault = QuasiPriorityQueueFault::kNone>
class QuasiPriorityQueue {
 public:
  explicit QuasiPriorityQueue(unsigned factor, Pick pick = Pick{}) : factor_{factor}, pick_(pick) {}

  void enq(int value, int key) {
    const std::lock_guard lock{mutex_};
    const auto place =
        std::upper_bound(items_.begin(), items_.end(), key, [](int k, const Item& i) { return k < i.key; });
    items_.insert(place, Item{value, key, 0});
  }

  std::optional<int> deq_min() {
    const std::lock_guard lock{mutex_};
    if (items_.empty()) return std::nullopt;
    const auto chosen = items_.begin() + pick_(reach());
    std::for_each(items_.begin(), chosen, [](Item& passed) { ++passed.passed_over; });
    const int value = chosen->value;
    items_.erase(chosen);
    return value;
  }

 private:
  struct Item {
    int value;
    int key;
    unsigned passed_over;
  };

  // How many of the first items may be chosen: an item that was passed over often enough is the last of them.
  unsigned reach() const {
    const auto size = static_cast<unsigned>(items_.size());
    if constexpr (fault == QuasiPriorityQueueFault::kLooksTooFar) return std::min(size, 2 * factor_ + 2);
    const unsigned limit = std::min(size, factor_ + 1);
    for (unsigned i = 0; i < limit; ++i) {
      if (items_[i].passed_over == factor_) return i + 1;
    }
    return limit;
  }

  const unsigned factor_;
  Pick pick_;
  std::mutex mutex_;
  std::vector<Item> items_;
};

}  // namespace subjects::roundup
