#pragma once
// Quasi-linearizability by displaced operations (Round-Up, Definition 4, with the class of each position kept), tried
// out: every choice of pending operations, every order that keeps precedence, every permutation within the factors.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "spec/quasi_factors.hpp"
#include "spec/spec.hpp"

namespace muster::test {

class WindowBruteForce {
 public:
  WindowBruteForce(const History& history, const Spec& spec, const QuasiFactors& factors)
      : history_(history), binding_(history, spec), spec_(spec), factors_(factors), used_(history.size()) {}

  /// Extends the order kept in `order_` in every way.
  bool accepts() {
    bool all = true;
    for (OperationId id = 0; id < used_.size(); ++id) all &= used_[id] || history_[id].is_pending();
    if (all && some_permutation_is_legal()) return true;
    for (OperationId id = 0; id < used_.size(); ++id) {
      if (!may_come_next(id)) continue;
      used_[id] = 1;
      order_.push_back(id);
      if (accepts()) return true;
      order_.pop_back();
      used_[id] = 0;
    }
    return false;
  }

 private:
  bool may_come_next(OperationId id) const {
    if (used_[id]) return false;
    for (OperationId other = 0; other < used_.size(); ++other) {
      if (!used_[other] && history_.precedes(other, id)) return false;
    }
    return true;
  }

  /// Methods of one class have one number.
  int class_of(OperationId id) const {
    const MethodIndex method = binding_.method(history_[id]);
    for (std::size_t i = 0; i < factors_.classes.size(); ++i) {
      if (std::ranges::find(factors_.classes[i].methods, method) != factors_.classes[i].methods.end())
        return 1000 + static_cast<int>(i);
    }
    return method;
  }

  int place_in_class(const std::vector<OperationId>& order, OperationId id) const {
    int place = 0;
    for (const OperationId other : order) {
      if (other == id) break;
      place += class_of(other) == class_of(id);
    }
    return place;
  }

  bool some_permutation_is_legal() const {
    std::vector<OperationId> permuted = order_;
    std::ranges::sort(permuted);
    do {
      if (is_close(permuted) && is_legal(permuted)) return true;
    } while (std::ranges::next_permutation(permuted).found);
    return false;
  }

  bool is_close(const std::vector<OperationId>& permuted) const {
    for (std::size_t i = 0; i < permuted.size(); ++i) {
      if (class_of(permuted[i]) != class_of(order_[i])) return false;
    }
    for (const OperationId id : permuted) {
      const int moved = std::abs(place_in_class(permuted, id) - place_in_class(order_, id));
      if (moved > static_cast<int>(factors_.of(binding_.method(history_[id])))) return false;
    }
    return true;
  }

  bool is_legal(const std::vector<OperationId>& order) const {
    const auto states = spec_.states();
    std::vector<StateId> now{states->initial()}, next;
    for (const OperationId id : order) {
      next.clear();
      for (const StateId state : now) states->step(state, binding_.call(history_[id]), next);
      now.swap(next);
    }
    return !now.empty();
  }

  const History& history_;
  Binding binding_;
  const Spec& spec_;
  const QuasiFactors& factors_;
  std::vector<char> used_;
  std::vector<OperationId> order_;
};

inline bool brute_force_window(const History& history, const Spec& spec, const QuasiFactors& factors) {
  return WindowBruteForce(history, spec, factors).accepts();
}

}  // namespace muster::test
