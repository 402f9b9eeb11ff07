#include "judge/synchronisation/synchronisation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "judge/synchronisation/meetings.hpp"

namespace muster {
namespace {

void require_stateless(const SyncSpec& spec, std::size_t arity) {
  if (!spec.is_stateless() || spec.largest_arity() > arity)
    fail("{}: this judge is for specs without state{}", spec.name(), arity == 2 ? " and of arity at most two" : "");
}

/// Stateless specs of larger arity: most histories are explained by whoever meets as soon as possible, so that is tried
/// for a while before all possible synchronisations are listed.
SyncVerdict search_then_cover(const Meeters& meeters, bool progress, const SyncOptions& options) {
  constexpr std::uint64_t steps_an_operation = 32, fewest_steps = 256;
  SyncOptions brief = options;
  const std::uint64_t most = fewest_steps + steps_an_operation * meeters.size();
  if (brief.limits.steps == 0 || brief.limits.steps > most) brief.limits.steps = most;
  SyncVerdict verdict = search_synchronisations(meeters, progress, brief);
  return is_undecided(verdict) ? cover_synchronisations(meeters, progress, options) : verdict;
}

SyncVerdict judge(const Meeters& meeters, bool progress, const SyncOptions& options) {
  const SyncSpec& spec = meeters.spec();
  if (options.judge == SyncJudge::automatic && judge_for(spec) == SyncJudge::cover)
    return search_then_cover(meeters, progress, options);
  switch (options.judge == SyncJudge::automatic ? judge_for(spec) : options.judge) {
    case SyncJudge::matching:
      require_stateless(spec, 2);
      return match_synchronisations(meeters, progress, options);
    case SyncJudge::cover:
      require_stateless(spec, ~std::size_t{0});
      return cover_synchronisations(meeters, progress, options);
    case SyncJudge::two_step:
      if (!progress) return judge_in_two_steps(meeters, options);
      [[fallthrough]];
    default:
      return search_synchronisations(meeters, progress, options);
  }
}

/// Each object alone: what two objects do has nothing to do with each other.
std::vector<std::vector<OperationId>> by_key(const History& history) {
  absl::flat_hash_map<Value, std::size_t> numbers;
  std::vector<std::vector<OperationId>> parts;
  for (OperationId id = 0; id < history.size(); ++id) {
    const auto [found, fresh] = numbers.try_emplace(history[id].key, parts.size());
    if (fresh) parts.emplace_back();
    parts[found->second].push_back(id);
  }
  return parts;
}

template <class Judge>
SyncVerdict for_each_key(const History& history, const Judge& judge_one) {
  const bool keyed = std::ranges::any_of(history.operations(), [](const Operation& o) { return !o.key.is_none(); });
  if (!keyed) return judge_one(history);
  SyncWitness all;
  std::vector<std::pair<Position, Synchronisation>> points;
  std::optional<Undecided> undecided;
  for (const auto& ids : by_key(history)) {
    SyncVerdict verdict = judge_one(history.restricted_to(ids));
    if (auto* failing = std::get_if<SyncCounterexample>(&verdict)) {
      for (OperationId& id : failing->operations) id = ids[id];
      return verdict;
    }
    if (is_undecided(verdict)) {
      undecided = std::get<Undecided>(std::move(verdict));
      continue;
    }
    Position point = 0;
    for (Synchronisation& synchronisation : std::get<SyncWitness>(verdict).synchronisations) {
      for (OperationId& id : synchronisation.participants) {
        id = ids[id];
        point = std::max(point, history[id].call);
      }
      points.emplace_back(point, std::move(synchronisation));
    }
  }
  if (undecided) return *undecided;
  std::ranges::stable_sort(points, {}, &std::pair<Position, Synchronisation>::first);
  for (auto& [point, synchronisation] : points) all.synchronisations.push_back(std::move(synchronisation));
  return all;
}

SyncVerdict judge_progress_of_one(const History& history, const SyncSpec& spec, const SyncOptions& options) {
  const Meeters meeters(history, spec);
  const auto pending_in = [&](const SyncWitness& witness) {
    std::vector<OperationId> pending;
    for (const Synchronisation& synchronisation : witness.synchronisations) {
      const auto& ids = synchronisation.participants;
      // Those who meet only among themselves explain nothing.
      if (std::ranges::all_of(ids, [&](OperationId id) { return history[id].is_pending(); })) continue;
      std::ranges::copy_if(ids, std::back_inserter(pending), [&](OperationId id) { return history[id].is_pending(); });
    }
    return pending;
  };
  SyncVerdict safe = judge(meeters, false, options);
  if (!passes(safe)) return safe;
  SyncVerdict verdict = judge(meeters, true, options);
  auto* failing = std::get_if<SyncCounterexample>(&verdict);
  if (failing && failing->fault == SyncFault::unexplained) {
    // What returned is explained only by synchronisations with what did not return.
    const OperationId misfit = failing->operations.front();
    SyncCounterexample stranded{SyncFault::cannot_return, pending_in(std::get<SyncWitness>(safe)), ""};
    for (OperationId id = 0; id < history.size() && stranded.operations.empty(); ++id) {
      if (history[id].is_pending()) stranded.operations.push_back(id);  // two steps give no witness
    }
    std::string names;
    for (const OperationId id : stranded.operations) names += (names.empty() ? "" : " or ") + to_string(history, id);
    stranded.reason =
        fmt::format("{} has synchronised, as {} shows, and never returns", names, to_string(history, misfit));
    return stranded;
  }
  return verdict;
}

}  // namespace

SyncJudge judge_for(const SyncSpec& spec) {
  if (!spec.is_stateless()) return SyncJudge::search;
  return spec.largest_arity() <= 2 ? SyncJudge::matching : SyncJudge::cover;
}

SyncVerdict judge_synchronisation(const History& history, const SyncSpec& spec, const SyncOptions& options) {
  return for_each_key(history, [&](const History& one) { return judge(Meeters(one, spec), false, options); });
}

SyncVerdict judge_progress(const History& history, const SyncSpec& spec, const SyncOptions& options) {
  return for_each_key(history, [&](const History& one) { return judge_progress_of_one(one, spec, options); });
}

bool is_witness(const History& history, const SyncSpec& spec, std::span<const Synchronisation> synchronisations) {
  const auto states = spec.states();
  std::vector<char> met(history.size());
  std::vector<StateId> now{states->initial()};
  Position latest_call = 0;
  for (const Synchronisation& synchronisation : synchronisations) {
    const SyncMode& mode = spec.modes()[synchronisation.mode];
    if (synchronisation.participants.size() != mode.arity()) return false;
    std::vector<Arguments> arguments;
    for (std::size_t i = 0; i < mode.arity(); ++i) {
      const OperationId id = synchronisation.participants[i];
      if (id >= history.size() || std::exchange(met[id], 1)) return false;
      if (spec.find_operation(history.method_name(history[id].method)) != mode.participants[i]) return false;
      latest_call = std::max(latest_call, history[id].call);
      arguments.push_back(history.arguments(id));
    }
    for (const OperationId id : synchronisation.participants) {
      if (history[id].ret < latest_call) return false;
    }
    std::vector<StateId> next;
    for (const StateId state : now) {
      for (const SyncOutcome& outcome : states->outcomes(state, synchronisation.mode, arguments)) {
        bool fits = true;
        for (std::size_t i = 0; i < mode.arity(); ++i) {
          const Operation& operation = history[synchronisation.participants[i]];
          fits &= operation.is_pending() || same_answer(outcome.responses[i], operation.result);
        }
        if (fits) next.push_back(outcome.next);
      }
    }
    if (next.empty()) return false;
    std::ranges::sort(next);
    next.erase(std::unique(next.begin(), next.end()), next.end());
    now.swap(next);
  }
  for (OperationId id = 0; id < history.size(); ++id) {
    if (!met[id] && !history[id].is_pending()) return false;
  }
  return true;
}

std::vector<Synchronisation> explain_the_rest(const History& history, const SyncSpec& spec,
                                              const SyncCounterexample& failing, const SyncOptions& options) {
  std::vector<OperationId> rest;
  for (OperationId id = 0; id < history.size(); ++id) {
    if (std::ranges::find(failing.operations, id) == failing.operations.end()) rest.push_back(id);
  }
  SyncVerdict verdict = judge_synchronisation(history.restricted_to(rest), spec, options);
  auto* witness = std::get_if<SyncWitness>(&verdict);
  if (!witness) return {};
  for (Synchronisation& synchronisation : witness->synchronisations) {
    for (OperationId& id : synchronisation.participants) id = rest[id];
  }
  return std::move(witness->synchronisations);
}

}  // namespace muster
