#include "judge/synchronisation/meetings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"
#include "base/error.hpp"

namespace muster {

Meeters::Meeters(const History& history, const SyncSpec& spec) : history_(history), spec_(spec) {
  if (history.matrix())
    fail("{}: synchronisation is judged by calls and returns, not by a matrix of precedence", history.source().name);
  std::vector<int> operations;
  for (const std::string& name : history.methods()) operations.push_back(spec.find_operation(name));
  absl::flat_hash_map<std::vector<std::uint64_t>, std::uint32_t> kinds;
  std::vector<std::uint64_t> key;
  meeters_.reserve(history.size());
  for (const Operation& operation : history.operations()) {
    const int known = operations[operation.method];
    if (known < 0)
      fail("{}:{}: {} has no operation `{}`", history.source().name, operation.line, spec.name(),
           history.method_name(operation.method));
    const auto arguments = history.arguments(operation);
    key.assign({static_cast<std::uint64_t>(known), operation.is_pending(), operation.result.bits()});
    for (const Value argument : arguments) key.push_back(argument.bits());
    const auto kind = kinds.try_emplace(key, static_cast<std::uint32_t>(kinds.size())).first->second;
    meeters_.push_back({static_cast<MethodIndex>(known), operation.is_pending(), kind, operation.call, operation.ret,
                        operation.result, arguments});
  }
}

bool Meeters::all_fit(std::span<const Meeter> participants, std::span<const Value> responses) const {
  MUSTER_ASSERT(participants.size() == responses.size());
  for (std::size_t i = 0; i < participants.size(); ++i) {
    if (!fits(participants[i], responses[i])) return false;
  }
  return true;
}

bool Fillings::of(const SyncMode& mode, std::span<const Meeter> available, std::int64_t must, const Found& found) {
  for (const MethodIndex operation : mode.participants) {
    const auto calls_it = [&](Meeter m) { return meeters_.operation(m) == operation; };
    if (std::ranges::count_if(available, calls_it) < std::ranges::count(mode.participants, operation)) return true;
  }
  chosen_.clear();
  return fill(mode, available, must, found);
}

bool Fillings::fill(const SyncMode& mode, std::span<const Meeter> available, std::int64_t must, const Found& found) {
  const std::size_t role = chosen_.size();
  const bool has_must = must < 0 || std::ranges::find(chosen_, static_cast<Meeter>(must)) != chosen_.end();
  if (role == mode.arity()) return !has_must || found(chosen_);
  const MethodIndex operation = mode.participants[role];
  const auto later = std::ranges::count(std::span(mode.participants).subspan(role + 1), operation);
  const bool last_chance = !has_must && later == 0 && meeters_.operation(static_cast<Meeter>(must)) == operation;
  for (const Meeter m : available) {
    if (meeters_.operation(m) != operation || (last_chance && m != must)) continue;
    if (!may_join(mode, m) || usable_after(available, m) < later) continue;
    chosen_.push_back(m);
    const bool go_on = fill(mode, available, must, found);
    chosen_.pop_back();
    if (!go_on) return false;
  }
  return true;
}

bool Fillings::may_join(const SyncMode& mode, Meeter m) const {
  for (std::size_t earlier = 0; earlier < chosen_.size(); ++earlier) {
    if (chosen_[earlier] == m || !meeters_.overlap(chosen_[earlier], m)) return false;
    if (mode.participants[earlier] == meeters_.operation(m) && meeters_.kind(chosen_[earlier]) == meeters_.kind(m) &&
        chosen_[earlier] > m)
      return false;
  }
  return true;
}

/// Operations of the same method that can still follow `m`.
std::ptrdiff_t Fillings::usable_after(std::span<const Meeter> available, Meeter m) const {
  return std::ranges::count_if(available, [&](Meeter other) {
    return meeters_.operation(other) == meeters_.operation(m) && other != m &&
           !(meeters_.kind(other) == meeters_.kind(m) && other < m) &&
           std::ranges::find(chosen_, other) == chosen_.end();
  });
}

std::span<const StateId> Outcomes::after(StateId state, unsigned mode, std::span<const Meeter> participants) {
  key_.assign({state, mode});
  for (const Meeter m : participants) key_.push_back(meeters_.kind(m));
  const auto [known, fresh] = known_.try_emplace(key_);
  if (fresh) {
    arguments_.clear();
    for (const Meeter m : participants) arguments_.push_back(meeters_.arguments(m));
    for (const SyncOutcome& outcome : states_->outcomes(state, mode, arguments_)) {
      if (meeters_.all_fit(participants, outcome.responses)) known->second.push_back(outcome.next);
    }
  }
  return known->second;
}

std::vector<OperationId> could_synchronise(const Meeters& meeters, Outcomes& outcomes, StateId state,
                                           std::span<const Meeter> waiting) {
  std::vector<OperationId> able;
  Fillings fillings(meeters);
  const auto modes = meeters.spec().modes();
  for (unsigned mode = 0; mode < modes.size() && able.empty(); ++mode) {
    fillings.of(modes[mode], waiting, -1, [&](std::span<const Meeter> participants) {
      if (outcomes.after(state, mode, participants).empty()) return true;
      for (const Meeter m : participants) able.push_back(meeters.id(m));
      return false;
    });
  }
  return able;
}

SyncWitness in_order(const Meeters& meeters, std::vector<Synchronisation> synchronisations) {
  const auto latest_call = [&](const Synchronisation& synchronisation) {
    Position latest = 0;
    for (const OperationId id : synchronisation.participants) latest = std::max(latest, meeters.history()[id].call);
    return latest;
  };
  std::ranges::sort(synchronisations, {}, latest_call);
  return {std::move(synchronisations)};
}

SyncCounterexample waiting_for_ever(const Meeters& meeters, std::vector<OperationId> waiting) {
  std::string names;
  for (const OperationId id : waiting)
    names += (names.empty() ? "" : &id == &waiting.back() ? " and " : ", ") + to_string(meeters.history(), id);
  const bool one = waiting.size() == 1;
  return {SyncFault::could_synchronise, std::move(waiting),
          one ? fmt::format("{} could return, and waits for ever", names)
              : fmt::format("{} could synchronise, and wait for ever", names)};
}

SyncCounterexample unexplained(const Meeters& meeters, Meeter misfit) {
  return {SyncFault::unexplained,
          {meeters.id(misfit)},
          fmt::format("no synchronisation explains {}", to_string(meeters.history(), meeters.id(misfit)))};
}

}  // namespace muster
