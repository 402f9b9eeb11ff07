#include "judge/meetings.hpp"

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
  chosen_.assign(mode.arity(), 0);
  if (must < 0) return fill(mode, available, 0, mode.arity(), 0, found);
  const auto meeter = static_cast<Meeter>(must);
  for (std::size_t role = 0; role < mode.arity(); ++role) {
    if (mode.participants[role] == meeters_.operation(meeter) && !fill(mode, available, 0, role, meeter, found))
      return false;
  }
  return true;
}

bool Fillings::fill(const SyncMode& mode, std::span<const Meeter> available, std::size_t role, std::size_t must_role,
                    Meeter must, const Found& found) {
  if (role == mode.arity()) return found(chosen_);
  const auto take = [&](Meeter m) {
    if (!may_take(mode, role, m)) return true;
    chosen_[role] = m;
    return fill(mode, available, role + 1, must_role, must, found);
  };
  if (role == must_role) return take(must);
  for (const Meeter m : available) {
    if (must_role < mode.arity() && m == must) continue;
    if (!take(m)) return false;
  }
  return true;
}

bool Fillings::may_take(const SyncMode& mode, std::size_t role, Meeter m) const {
  if (meeters_.operation(m) != mode.participants[role]) return false;
  for (std::size_t earlier = 0; earlier < role; ++earlier) {
    if (chosen_[earlier] == m || !meeters_.overlap(chosen_[earlier], m)) return false;
    if (mode.participants[earlier] == mode.participants[role] && meeters_.kind(chosen_[earlier]) == meeters_.kind(m) &&
        chosen_[earlier] > m)
      return false;
  }
  return true;
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
