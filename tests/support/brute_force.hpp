#pragma once
// The definition of linearizability, tried out: every choice of pending operations, every order that keeps precedence.
// No memo, no pruning beyond "the spec refuses it"; for histories of a few operations.

#include <vector>

#include "spec/spec.hpp"

namespace muster::test {

namespace detail {

/// Keys and states side by side: the object is one state a key.
struct Brute {
  const Binding& binding;
  StateSpace& states;
  std::vector<char> placed;
  std::vector<std::pair<Value, StateId>> objects;

  bool all_returned_placed() const {
    for (OperationId id = 0; id < placed.size(); ++id) {
      if (!placed[id] && !binding.history()[id].is_pending()) return false;
    }
    return true;
  }

  bool may_come_next(OperationId id) const {
    if (placed[id]) return false;
    for (OperationId other = 0; other < placed.size(); ++other) {
      if (!placed[other] && other != id && binding.history().precedes(other, id)) return false;
    }
    return true;
  }

  bool search() {
    if (all_returned_placed()) return true;
    for (OperationId id = 0; id < placed.size(); ++id) {
      if (!may_come_next(id)) continue;
      const Call call = binding.call(binding.history()[id]);
      std::size_t object = 0;
      while (object < objects.size() && objects[object].first != call.key) ++object;
      if (object == objects.size()) objects.emplace_back(call.key, states.initial());
      const StateId before = objects[object].second;
      std::vector<StateId> next;
      states.step(before, call, next);
      placed[id] = 1;
      for (const StateId after : next) {
        objects[object].second = after;
        if (search()) return true;
      }
      objects[object].second = before;
      placed[id] = 0;
    }
    return false;
  }
};

}  // namespace detail

inline bool brute_force_linearizable(const History& history, const Spec& spec) {
  const Binding binding(history, spec);
  const auto states = spec.states();
  detail::Brute brute{binding, *states, std::vector<char>(history.size()), {}};
  return brute.search();
}

}  // namespace muster::test
