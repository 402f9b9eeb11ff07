#pragma once
// The definition of linearizability, tried out: every choice of pending operations, every order that keeps precedence.
// No memo, no pruning beyond "the spec refuses it"; for histories of a few operations.

#include <vector>

#include "spec/spec.hpp"

namespace muster::test {

namespace detail {

/// Keys and states side by side: the object is one state a key.
template <class Precedes>
struct Brute {
  const Binding& binding;
  StateSpace& states;
  Precedes precedes;
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
      if (!placed[other] && other != id && precedes(other, id)) return false;
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

/// Whether some order that keeps `precedes` is legal.
template <class Precedes>
bool brute_force_explained(const History& history, const Spec& spec, Precedes precedes) {
  const Binding binding(history, spec);
  const auto states = spec.states();
  detail::Brute<Precedes> brute{binding, *states, precedes, std::vector<char>(history.size()), {}};
  return brute.search();
}

inline bool brute_force_linearizable(const History& history, const Spec& spec) {
  return brute_force_explained(history, spec, [&](OperationId a, OperationId b) { return history.precedes(a, b); });
}

inline bool brute_force_sequential(const History& history, const Spec& spec) {
  return brute_force_explained(history, spec, [&](OperationId a, OperationId b) {
    return history[a].process == history[b].process && history.precedes(a, b);
  });
}

/// a is before b iff at some moment between them nothing was open.
inline bool brute_force_quiescent(const History& history, const Spec& spec) {
  return brute_force_explained(history, spec, [&](OperationId a, OperationId b) {
    for (Position moment = history[a].ret; history.precedes(a, b) && moment < history[b].call; ++moment) {
      bool quiet = true;
      for (const Operation& operation : history.operations())
        quiet &= operation.ret <= moment || operation.call > moment;
      if (quiet) return true;
    }
    return false;
  });
}

}  // namespace muster::test
