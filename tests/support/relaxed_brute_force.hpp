#pragma once
// The definition of the relaxed objects, tried out: every choice of pending operations, every order that keeps
// precedence, every item that a removal may take. Knows nothing of state spaces.

#include <vector>

#include "spec/spec.hpp"

namespace muster::test {

class RelaxedBruteForce {
 public:
  RelaxedBruteForce(const History& history, const Spec& exact, unsigned factor)
      : history_(history),
        binding_(history, exact),
        family_(exact.family()),
        factor_(factor),
        placed_(history.size()) {}

  bool accepts() {
    bool all = true;
    for (OperationId id = 0; id < placed_.size(); ++id) all &= placed_[id] || history_[id].is_pending();
    if (all) return true;
    for (OperationId id = 0; id < placed_.size(); ++id) {
      if (!may_come_next(id)) continue;
      placed_[id] = 1;
      if (try_out(history_[id])) return true;
      placed_[id] = 0;
    }
    return false;
  }

 private:
  struct Item {
    Value value;
    unsigned skips;
  };

  bool may_come_next(OperationId id) const {
    if (placed_[id]) return false;
    for (OperationId other = 0; other < placed_.size(); ++other) {
      if (!placed_[other] && history_.precedes(other, id)) return false;
    }
    return true;
  }

  bool try_out(const Operation& operation) {
    const std::vector<Item> before = items_;
    const MethodIndex method = binding_.method(operation);
    const bool any = operation.is_pending() || operation.result.is_none();
    bool explained = false;
    if (method == 0) {
      items_.push_back({binding_.arguments(operation)[0], 0});
      explained = accepts();
    } else if (items_.empty()) {
      explained = (any || operation.result.is_nil()) && accepts();
    } else {
      for (std::size_t chosen = 0; chosen < before.size() && !explained; ++chosen) {
        items_ = before;
        if (!any && items_[chosen].value != operation.result) continue;
        explained = (method == 1 ? take(chosen) : rank(chosen) == 0) && accepts();
      }
    }
    if (!explained) items_ = before;
    return explained;
  }

  /// Whether `a` has a smaller rank than `b`.
  bool precedes(std::size_t a, std::size_t b) const {
    switch (family_) {
      case Family::queue:
        return a < b;
      case Family::stack:
        return a > b;
      case Family::smallest_first:
        return items_[a].value < items_[b].value;
      default:
        return items_[b].value < items_[a].value;
    }
  }

  std::size_t rank(std::size_t index) const {
    std::size_t smaller = 0;
    for (std::size_t other = 0; other < items_.size(); ++other) smaller += precedes(other, index);
    return smaller;
  }

  bool take(std::size_t index) {
    if (rank(index) > factor_) return false;
    for (std::size_t other = 0; other < items_.size(); ++other) {
      if (precedes(other, index) && items_[other].skips++ == factor_) return false;
    }
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(index));
    return true;
  }

  const History& history_;
  Binding binding_;
  Family family_;
  unsigned factor_;
  std::vector<char> placed_;
  std::vector<Item> items_;  ///< in the order in which they came
};

inline bool brute_force_relaxed(const History& history, const Spec& exact, unsigned factor) {
  return RelaxedBruteForce(history, exact, factor).accepts();
}

}  // namespace muster::test
