#include "rule/synchronisation_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "rule/interval_orders.hpp"

namespace muster {

SynchronisationJudge::SynchronisationJudge(const CheckDefinition& check, const Test& test, const Responses& responses,
                                           SyncOptions options)
    : check_(check),
      test_(test),
      responses_(responses),
      options_(options),
      spec_(synchronisation_spec(check)),
      operations_(operations_of(test)) {}

std::string SynchronisationJudge::name_of_operation(unsigned operation) const {
  return fmt::format("{}'s {}", column_name(operations_[operation].column),
                     name_of(check_, operations_[operation].invocation));
}

Ruling SynchronisationJudge::judge(const Recorded& history) {
  return history.partial ? judge_partial_order(history) : judge_intervals(history);
}

/// Operations that take effect together, one group after the other, keep a partial order if they do so in some
/// intervals that keep it.
Ruling SynchronisationJudge::judge_partial_order(const Recorded& history) {
  constexpr std::uint64_t most_orders = 10'000;
  std::optional<Ruling> first;
  std::string undecided;
  bool passes = false;
  const auto judge_one = [&](const Recorded& intervals) {
    Ruling ruling = judge_intervals(intervals);
    passes = !ruling.objection && ruling.undecided.empty();
    if (!ruling.undecided.empty()) undecided = ruling.undecided;
    if (passes || !first) first = std::move(ruling);
    return !passes;
  };
  const bool all = each_interval_order(history, most_orders, judge_one);
  if (passes || (all && undecided.empty())) return *first;
  return {.undecided = all ? undecided : "operations of which so little order is known have more than 10,000 orders"};
}

Ruling SynchronisationJudge::judge_intervals(const Recorded& recorded) {
  if (recorded.stuck && recorded.spinning && check_.synchronisation->divergence_free) {
    const int blamed = std::countr_zero(recorded.waiting());
    return {.objection = Objection{
                .kind = FindingKind::no_progress,
                .blamed = blamed,
                .note = name_of_operation(static_cast<unsigned>(blamed)) + " spins for ever: the object diverges."}};
  }
  bool may_block = false;
  const bool signals = !recorded.signals.empty();
  if (signals && explained_by_signals(recorded, may_block) && (!recorded.stuck || may_block)) {
    ++signalled_;
    return {.kind = MetHistory::signalled};
  }
  HistoryBuilder build(check_.name);
  std::vector<unsigned> operations;
  std::vector<OperationId> ids(recorded.size);
  for (unsigned i = 0; i < recorded.mark_count; ++i) {
    const unsigned operation = recorded.marks[i].operation;
    if (recorded.marks[i].is_return) {
      build.returned(ids[operation], Value::text(responses_.text(recorded.response[operation])));
      continue;
    }
    const Invocation invocation = operations_[operation].invocation;
    ids[operation] = build.call(build.process(Value::integer(operations_[operation].column)),
                                build.method(check_.operations[check_.invocations[invocation].operation].name),
                                {Value::integer(invocation)});
    operations.push_back(operation);
  }
  const History history = build.finish();
  const SyncVerdict verdict =
      recorded.stuck ? judge_progress(history, *spec_, options_) : judge_synchronisation(history, *spec_, options_);
  if (const auto* undecided = std::get_if<Undecided>(&verdict)) return {.undecided = undecided->reason};
  if (const auto* failing = std::get_if<SyncCounterexample>(&verdict)) {
    Objection objection = object_to(recorded, operations, *failing);
    for (const Synchronisation& met : explain_the_rest(history, *spec_, *failing, options_)) {
      auto& join = objection.joins.emplace_back();
      for (const OperationId id : met.participants) join.push_back(static_cast<std::uint8_t>(operations[id]));
    }
    return {.objection = std::move(objection)};
  }
  misleading_ += signals;
  return {.kind = signals ? MetHistory::misleading : std::uint8_t{0}};
}

Objection SynchronisationJudge::object_to(const Recorded& recorded, const std::vector<unsigned>& operations,
                                          const SyncCounterexample& failing) const {
  Objection objection;
  objection.blamed = static_cast<int>(operations[failing.operations.front()]);
  std::string names;
  const bool either = failing.fault == SyncFault::cannot_return;
  for (std::size_t i = 0; i < failing.operations.size(); ++i) {
    const bool last = i + 1 == failing.operations.size();
    names += (i == 0   ? ""
              : !last  ? ", "
              : either ? " or "
                       : " and ") +
             name_of_operation(operations[failing.operations[i]]);
  }
  const bool one = failing.operations.size() == 1;
  const std::string_view wait = recorded.spinning ? "spin" : "wait";
  switch (failing.fault) {
    case SyncFault::unexplained: {
      objection.kind = FindingKind::no_synchronisation;
      const std::string& answer = responses_.text(recorded.response[static_cast<unsigned>(objection.blamed)]);
      objection.note = fmt::format("{} {}; no synchronisation with what overlaps it explains that.", names,
                                   answer.empty()                  ? "returned"
                                   : answer.starts_with("throws ") ? answer
                                                                   : "returned " + answer);
      break;
    }
    case SyncFault::could_synchronise:
      objection.kind = FindingKind::no_progress;
      objection.note = one ? fmt::format("{} could return, and {}s for ever.", names, wait)
                           : fmt::format("{} could synchronise, and {} for ever.", names, wait);
      break;
    case SyncFault::cannot_return:
      objection.kind = FindingKind::no_progress;
      objection.note = fmt::format("{} has synchronised, as what returned shows, and never returns.", names);
      break;
  }
  return objection;
}

namespace {

/// Follows the signals of one history through the spec: one synchronisation at a time (section 8.2, condition 3), its
/// participants in the order of their roles, then, in any order, those who are told that it happened.
class SignalReader {
 public:
  SignalReader(const SyncSpec& spec, const Recorded& history, std::span<const Value> arguments,
               std::span<const MethodIndex> methods, std::span<const Value> results)
      : spec_(spec),
        history_(history),
        arguments_(arguments),
        methods_(methods),
        results_(results),
        states_(spec.states()),
        now_{states_->initial()},
        met_(0) {}

  bool read() {
    for (const Recorded::Signal& signal : history_.signals) {
      if (!(signal.back ? hear_back(signal) : hear(signal))) return false;
    }
    return (history_.returned & ~met_) == 0 && (unconfirmed_ & history_.returned) == 0;
  }

  /// Whether nothing that is pending has met, and nothing could.
  bool may_block() {
    const std::uint64_t waiting = history_.waiting();
    if (waiting & met_) return false;
    std::vector<unsigned> able;
    for (std::uint64_t mask = waiting; mask; mask &= mask - 1)
      able.push_back(static_cast<unsigned>(std::countr_zero(mask)));
    // The states differ only where the spec is nondeterministic: it is enough that one of them lets all wait.
    return std::ranges::any_of(now_, [&](StateId state) { return !possible(state, able); });
  }

 private:
  bool hear(const Recorded::Signal& signal) {
    if (unconfirmed_ != 0 || (met_ | joined_mask_) >> signal.operation & 1) return false;
    if (signal.role != joined_.size() + 1) return false;
    joined_.push_back(signal.operation);
    joined_mask_ |= std::uint64_t{1} << signal.operation;
    bool can_go_on = false;
    for (unsigned mode = 0; mode < spec_.modes().size(); ++mode) {
      const auto& roles = spec_.modes()[mode].participants;
      if (roles.size() < joined_.size()) continue;
      bool fits = true;
      for (std::size_t i = 0; i < joined_.size(); ++i) fits &= roles[i] == methods_[joined_[i]];
      if (!fits) continue;
      if (roles.size() > joined_.size()) {
        can_go_on = true;
      } else if (meet(mode)) {
        return true;
      }
    }
    return can_go_on;
  }

  bool meet(unsigned mode) {
    std::vector<Arguments> arguments;
    for (const unsigned operation : joined_) arguments.emplace_back(&arguments_[operation], 1);
    std::vector<StateId> next;
    for (const StateId state : now_) {
      for (const SyncOutcome& outcome : states_->outcomes(state, mode, arguments)) {
        bool fits = true;
        for (std::size_t i = 0; i < joined_.size(); ++i) {
          const bool returned = history_.returned >> joined_[i] & 1;
          fits &= !returned || outcome.responses[i] == results_[joined_[i]];
        }
        if (fits) next.push_back(outcome.next);
      }
    }
    if (next.empty()) return false;
    now_.swap(next);
    met_ |= joined_mask_;
    unconfirmed_ = joined_mask_ & ~(std::uint64_t{1} << joined_.back());
    joined_.clear();
    joined_mask_ = 0;
    return true;
  }

  bool hear_back(const Recorded::Signal& signal) {
    const std::uint64_t bit = std::uint64_t{1} << signal.operation;
    if (!(unconfirmed_ & bit)) return false;
    unconfirmed_ &= ~bit;
    return true;
  }

  bool possible(StateId state, std::span<const unsigned> waiting) {
    std::vector<Arguments> arguments;
    std::vector<unsigned> chosen;
    for (unsigned mode = 0; mode < spec_.modes().size(); ++mode) {
      if (fill(state, mode, waiting, chosen, arguments)) return true;
    }
    return false;
  }
  bool fill(StateId state, unsigned mode, std::span<const unsigned> waiting, std::vector<unsigned>& chosen,
            std::vector<Arguments>& arguments) {
    const auto& roles = spec_.modes()[mode].participants;
    if (chosen.size() == roles.size()) return !states_->outcomes(state, mode, arguments).empty();
    for (const unsigned operation : waiting) {
      if (methods_[operation] != roles[chosen.size()] || std::ranges::find(chosen, operation) != chosen.end()) continue;
      chosen.push_back(operation);
      arguments.emplace_back(&arguments_[operation], 1);
      const bool found = fill(state, mode, waiting, chosen, arguments);
      chosen.pop_back();
      arguments.pop_back();
      if (found) return true;
    }
    return false;
  }

  const SyncSpec& spec_;
  const Recorded& history_;
  std::span<const Value> arguments_;
  std::span<const MethodIndex> methods_;
  std::span<const Value> results_;
  std::unique_ptr<SyncStates> states_;
  std::vector<StateId> now_;
  std::vector<unsigned> joined_;
  std::uint64_t joined_mask_ = 0;
  std::uint64_t met_;
  std::uint64_t unconfirmed_ = 0;  // met, and not told so yet
};

}  // namespace

bool SynchronisationJudge::explained_by_signals(const Recorded& history, bool& may_block) {
  std::vector<Value> arguments, results;
  std::vector<MethodIndex> methods;
  for (unsigned i = 0; i < history.size; ++i) {
    const Invocation invocation = operations_[i].invocation;
    arguments.push_back(Value::integer(invocation));
    methods.push_back(static_cast<MethodIndex>(check_.invocations[invocation].operation));
    results.push_back(history.returned >> i & 1 ? Value::text(responses_.text(history.response[i])) : Value());
  }
  SignalReader reader(*spec_, history, arguments, methods, results);
  if (!reader.read()) return false;
  may_block = history.stuck && reader.may_block();
  return true;
}

}  // namespace muster
