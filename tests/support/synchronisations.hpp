#pragma once
// Random synchronisation specs of every shape, histories of them, and a judge that tries everything.

#include <algorithm>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "base/rng.hpp"
#include "spec/synchronisation.hpp"

namespace muster::test {

struct Bare {
  bool operator==(const Bare&) const = default;
};
struct Phase {
  std::uint64_t phase = 0;
  bool operator==(const Phase&) const = default;
  std::uint64_t hash() const { return phase; }
};

struct SpecShape {
  unsigned operations = 2;
  std::vector<SyncMode> modes;
  bool stateful = false;
  bool nondeterministic = false;
  unsigned preconditions = 15;  ///< percent of synchronisations that cannot happen
};

inline SpecShape random_shape(Rng& rng, unsigned largest_arity) {
  SpecShape shape;
  shape.operations = 1 + static_cast<unsigned>(rng.below(3));
  const std::uint64_t modes = 1 + rng.below(3);
  for (std::uint64_t i = 0; i < modes; ++i) {
    SyncMode mode{"m" + std::to_string(i), {}};
    const std::uint64_t arity = 1 + rng.below(largest_arity);
    for (std::uint64_t role = 0; role < arity; ++role)
      mode.participants.push_back(static_cast<MethodIndex>(rng.below(shape.operations)));
    shape.modes.push_back(mode);
  }
  shape.stateful = rng.chance(1, 2);
  shape.nondeterministic = rng.chance(1, 3);
  shape.preconditions = rng.chance(1, 2) ? 0 : 25;
  return shape;
}

template <class State>
SyncSpecPtr random_spec(const SpecShape& shape, std::uint64_t seed) {
  std::vector<SyncOperation> operations;
  for (unsigned i = 0; i < shape.operations; ++i) operations.push_back({"op" + std::to_string(i), 1});
  std::vector<ModeFunction<State>> modes;
  for (std::size_t m = 0; m < shape.modes.size(); ++m) {
    const std::size_t arity = shape.modes[m].arity();
    modes.push_back({shape.modes[m].name, shape.modes[m].participants,
                     [seed, m, arity, shape](const State& state, Participants participants) {
                       std::uint64_t hash = mix(seed, m);
                       if constexpr (std::is_same_v<State, Phase>) hash = mix(hash, state.phase + 77);
                       for (const Arguments& arguments : participants) hash = mix(hash, arguments[0].bits());
                       Meetings<State> meetings;
                       if (hash % 100 < shape.preconditions) return meetings;
                       const std::uint64_t count = 1 + (shape.nondeterministic && hash / 100 % 3 == 0);
                       for (std::uint64_t n = 0; n < count; ++n) {
                         hash = mix(hash, n + 1);
                         Meeting<State> meeting{state, {}};
                         if constexpr (std::is_same_v<State, Phase>) meeting.next.phase = hash / 7 % 3;
                         for (std::size_t i = 0; i < arity; ++i)
                           meeting.responses.push_back(Value::integer(static_cast<std::int64_t>(mix(hash, i + 5) % 2)));
                         meetings.push_back(std::move(meeting));
                       }
                       return meetings;
                     }});
  }
  return synchronised<State>("random", State{}, operations, modes);
}

inline SyncSpecPtr random_spec(const SpecShape& shape, std::uint64_t seed) {
  return shape.stateful ? random_spec<Phase>(shape, seed) : random_spec<Bare>(shape, seed);
}

/// Runs the spec with random calls, synchronisations and returns; then, in half of the histories, changes something.
inline History random_history(Rng& rng, const SyncSpec& spec, std::size_t most) {
  struct Draft {
    MethodIndex operation;
    Value argument, result;
    int call = 0, ret = -1;
    bool met = false;
  };
  const auto states = spec.states();
  StateId state = states->initial();
  std::vector<Draft> drafts;
  int time = 0;
  for (int step = 0; step < 40; ++step) {
    const std::uint64_t what = rng.below(4);
    if (what == 0 && drafts.size() < most) {
      drafts.push_back({static_cast<MethodIndex>(rng.below(spec.operations().size())),
                        Value::integer(static_cast<std::int64_t>(rng.below(3))), Value(), time++});
    } else if (what == 1) {
      for (Draft& draft : drafts) {
        if (draft.ret < 0 && draft.met && rng.chance(1, 2)) draft.ret = time++;
      }
    } else {
      const auto mode = static_cast<unsigned>(rng.below(spec.modes().size()));
      std::vector<std::size_t> chosen;
      for (const MethodIndex wanted : spec.modes()[mode].participants) {
        std::vector<std::size_t> free;
        for (std::size_t i = 0; i < drafts.size(); ++i) {
          if (!drafts[i].met && drafts[i].operation == wanted && std::ranges::find(chosen, i) == chosen.end())
            free.push_back(i);
        }
        if (free.empty()) break;
        chosen.push_back(free[rng.below(free.size())]);
      }
      if (chosen.size() < spec.modes()[mode].arity()) continue;
      std::vector<Arguments> arguments;
      for (const std::size_t i : chosen) arguments.emplace_back(&drafts[i].argument, 1);
      const auto outcomes = states->outcomes(state, mode, arguments);
      if (outcomes.empty()) continue;
      const SyncOutcome& outcome = outcomes[rng.below(outcomes.size())];
      state = outcome.next;
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        drafts[chosen[i]].met = true;
        drafts[chosen[i]].result = outcome.responses[i];
      }
    }
  }
  if (rng.chance(3, 4)) {
    for (Draft& draft : drafts) {
      if (draft.ret < 0 && draft.met) draft.ret = time++;
    }
  }
  if (!drafts.empty() && rng.chance(1, 2)) {
    Draft& draft = drafts[rng.below(drafts.size())];
    if (rng.chance(1, 2)) {
      draft.result = Value::integer(static_cast<std::int64_t>(rng.below(2)));
    } else if (draft.ret < 0) {
      draft.ret = time++;
      draft.result = Value::integer(static_cast<std::int64_t>(rng.below(2)));
    } else {
      draft.ret = draft.call + 1 + static_cast<int>(rng.below(static_cast<std::uint64_t>(draft.ret - draft.call)));
    }
  }
  HistoryBuilder build;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    const Draft& draft = drafts[i];
    build.interval(build.process(Value::integer(static_cast<std::int64_t>(i))),
                   build.method(spec.operations()[draft.operation].name), std::span(&draft.argument, 1),
                   draft.ret < 0 ? Value() : draft.result, 2 * draft.call,
                   draft.ret < 0 ? HistoryBuilder::still_pending : 2 * draft.ret + 1);
  }
  return build.finish();
}

/// Every sequence of synchronisations, one after the other: each takes place after the latest call so far.
class BruteForceSynchronisation {
 public:
  BruteForceSynchronisation(const History& history, const SyncSpec& spec)
      : history_(history), spec_(spec), states_(spec.states()), met_(history.size(), 0) {}

  bool is_explained() { return explore(states_->initial(), 0, false); }
  bool may_block() { return explore(states_->initial(), 0, true); }

 private:
  bool explore(StateId state, Position latest, bool progress) {
    bool all = true;
    for (OperationId id = 0; id < history_.size(); ++id) all &= met_[id] || history_[id].is_pending();
    if (all && (!progress || !anything_possible(state))) return true;
    return try_all(state, progress, [&](std::span<const OperationId> participants, StateId next) {
      Position point = latest;
      for (const OperationId id : participants) point = std::max(point, history_[id].call);
      for (const OperationId id : participants) {
        if (history_[id].ret < point || (progress && history_[id].is_pending())) return false;
      }
      for (const OperationId id : participants) met_[id] = 1;
      const bool explained = explore(next, point, progress);
      for (const OperationId id : participants) met_[id] = 0;
      return explained;
    });
  }

  bool anything_possible(StateId state) {
    return try_all(state, false, [&](std::span<const OperationId> participants, StateId) {
      return std::ranges::all_of(participants, [&](OperationId id) { return history_[id].is_pending(); });
    });
  }

  template <class Try>
  bool try_all(StateId state, bool, const Try& attempt) {
    for (unsigned mode = 0; mode < spec_.modes().size(); ++mode) {
      std::vector<OperationId> chosen;
      if (fill(state, mode, chosen, attempt)) return true;
    }
    return false;
  }

  template <class Try>
  bool fill(StateId state, unsigned mode, std::vector<OperationId>& chosen, const Try& attempt) {
    const SyncMode& roles = spec_.modes()[mode];
    if (chosen.size() == roles.arity()) {
      std::vector<Arguments> arguments;
      for (const OperationId id : chosen) arguments.push_back(history_.arguments(id));
      for (const SyncOutcome& outcome : states_->outcomes(state, mode, arguments)) {
        bool fits = true;
        for (std::size_t i = 0; i < chosen.size(); ++i) {
          const Operation& operation = history_[chosen[i]];
          fits &= operation.is_pending() || same_answer(outcome.responses[i], operation.result);
        }
        if (fits && attempt(chosen, outcome.next)) return true;
      }
      return false;
    }
    for (OperationId id = 0; id < history_.size(); ++id) {
      if (met_[id] || std::ranges::find(chosen, id) != chosen.end()) continue;
      if (history_.method_name(history_[id].method) != spec_.operations()[roles.participants[chosen.size()]].name)
        continue;
      chosen.push_back(id);
      const bool done = fill(state, mode, chosen, attempt);
      chosen.pop_back();
      if (done) return true;
    }
    return false;
  }

  const History& history_;
  const SyncSpec& spec_;
  std::unique_ptr<SyncStates> states_;
  std::vector<char> met_;
};

}  // namespace muster::test
