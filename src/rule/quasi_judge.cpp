#include "rule/quasi_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "history/literal.hpp"
#include "rule/interval_orders.hpp"

namespace muster {
namespace {

/// The operations of the test in the order in which a history of it has them.
std::vector<std::uint8_t> calls_of(const Recorded& recorded, std::size_t size, bool rest) {
  std::vector<std::uint8_t> calls;
  for (unsigned i = 0; i < recorded.mark_count; ++i) {
    if (!recorded.marks[i].is_return) calls.push_back(recorded.marks[i].operation);
  }
  for (std::size_t i = 0; rest && i < size; ++i) {
    if (!(recorded.called >> i & 1)) calls.push_back(static_cast<std::uint8_t>(i));
  }
  return calls;
}

std::string times(std::size_t count) { return count == 1 ? "once" : fmt::format("{} times", count); }

}  // namespace

History to_history(const CheckDefinition& check, const Test& test, const Recorded& recorded, const Responses& responses,
                   bool rest) {
  HistoryBuilder build(check.name);
  const auto operations = operations_of(test);
  std::vector<OperationId> ids(operations.size());
  const auto call = [&](std::size_t at) {
    const auto& invocation = check.invocations[operations[at].invocation];
    ids[at] =
        build.call(build.process(column_name(operations[at].column)),
                   build.method(check.operations[invocation.operation].name), parse_literals(invocation.arguments));
  };
  for (unsigned i = 0; i < recorded.mark_count; ++i) {
    const unsigned at = recorded.marks[i].operation;
    if (recorded.marks[i].is_return) {
      build.returned(ids[at], answer_value(responses.text(recorded.response[at])));
    } else {
      call(at);
    }
  }
  for (std::size_t at = 0; rest && at < operations.size(); ++at) {
    if (!(recorded.called >> at & 1)) call(at);
  }
  return build.finish();
}

QuasiJudge::QuasiJudge(const CheckDefinition& check, const Test& test, const Responses& responses, QuasiBasis basis,
                       const std::string& factors)
    : check_(check),
      test_(test),
      responses_(responses),
      basis_(std::move(basis)),
      factors_(parse_factors(factors, *basis_.spec)) {}

QuasiJudge::Judged QuasiJudge::judge_intervals(const Recorded& history) const {
  // Displaced operations may be explained by ones that come later: a history that ends early fails only if it fails
  // however the test goes on.
  const bool rest = !basis_.builtin && history.stuck;
  Judged judged{to_history(check_, test_, history, responses_, rest), calls_of(history, test_.size(), rest), {}};
  judged.verdict = judge_quasi(judged.history, basis_.spec, factors_);
  return judged;
}

/// By the intervals that need the least factor: an order of the operations that explains a partial order of them
/// explains some intervals that keep it, too.
QuasiJudge::Judged QuasiJudge::judge_partial_order(const Recorded& history) const {
  constexpr std::uint64_t most_orders = 10'000;
  const auto rank = [](const QuasiVerdict& verdict) {
    const int kind = muster::passes(verdict.verdict) ? 0 : is_undecided(verdict.verdict) ? 1 : 2;
    return std::pair(kind, verdict.linearizable ? 0 : verdict.smallest.value_or(~0u));
  };
  std::optional<Judged> best;
  const bool all = each_interval_order(history, most_orders, [&](const Recorded& intervals) {
    Judged judged = judge_intervals(intervals);
    if (!best || rank(judged.verdict) < rank(best->verdict)) best = std::move(judged);
    return !best->verdict.linearizable;
  });
  if (!all && !muster::passes(best->verdict.verdict))
    best->verdict.verdict = Undecided{"operations of which so little order is known have more than 10,000 orders"};
  return std::move(*best);
}

Ruling QuasiJudge::judge(const Recorded& history) {
  last_ = look_at(history);
  const QuasiVerdict& verdict = last_.verdict;
  Ruling ruling;
  if (const auto* limit = std::get_if<Undecided>(&verdict.verdict)) ruling.undecided = limit->reason;
  if (basis_.runs && !muster::passes(verdict.verdict)) ruling.undecided += basis_.runs->not_known();
  if (!ruling.undecided.empty()) return ruling;
  const bool explained = muster::passes(verdict.verdict);
  ++(verdict.linearizable ? linearizable_ : explained ? relaxed_ : unexplained_);
  largest_factor_ = std::max(largest_factor_, verdict.smallest.value_or(0));
  if (!explained) ruling.objection = object_to(history);
  return ruling;
}

Objection QuasiJudge::object_to(const Recorded& history) const {
  Objection objection;
  objection.kind = FindingKind::not_quasi;
  objection.note =
      fmt::format("no order within {} explains the answers; {}.", to_string(factors_, *basis_.spec), explanation());
  if (const auto* failing = std::get_if<Counterexample>(&last_.verdict.verdict); failing && !failing->misfits.empty())
    objection.blamed = last_.operations[failing->misfits.front()];
  objection.displaced = displaced();
  if (!basis_.orders) return objection;
  basis_.orders->each_order(history, [&](const SerialHistory& serial) {
    objection.serial_orders.push_back(describe(check_, test_, responses_, serial));
    objection.serial_runs.push_back(to_run(serial, responses_));
    return objection.serial_orders.size() < shown_orders;
  });
  return objection;
}

std::string QuasiJudge::overtaking(const Overtaking& most, bool overtaken) const {
  std::string others;
  for (const OperationId id : most.removals) {
    const Value value = overtaken ? last_.history[id].result : last_.history.arguments(id)[0];
    others += (others.empty() ? "" : ", ") + to_string(value);
  }
  const std::string item = to_string(last_.history.arguments(most.insert)[0]);
  if (overtaken) return fmt::format("{} is overtaken {}, by {}", item, times(most.removals.size()), others);
  return fmt::format("{} overtakes {}", item, others);
}

std::string QuasiJudge::explanation() const {
  if (last_.verdict.unexplainable()) {
    const auto* failing = std::get_if<Counterexample>(&last_.verdict.verdict);
    return fmt::format("no factor explains it{}", failing && !failing->reason.empty() ? ": " + failing->reason : "");
  }
  if (!last_.verdict.smallest) return "its smallest factor is not known";
  const std::string text = fmt::format("smallest factor {}", *last_.verdict.smallest);
  const Overtakings& overtakings = last_.verdict.overtakings;
  const std::size_t most = overtakings.overtaken ? overtakings.overtaken->removals.size() : 0;
  if (most >= *last_.verdict.smallest && most > 0) return text + ": " + overtaking(*overtakings.overtaken, true);
  if (overtakings.overtaker) return text + ": " + overtaking(*overtakings.overtaker, false);
  const auto& displaced = overtakings.out_of_turn;
  const auto furthest = std::ranges::max_element(displaced, {}, &OutOfTurn::distance);
  if (furthest == displaced.end()) return text;
  return fmt::format("{}: {} answers {} out of turn", text, to_string(last_.history, furthest->operation),
                     furthest->distance);
}

std::vector<DisplacedCall> QuasiJudge::displaced() const {
  std::vector<DisplacedCall> result;
  for (const OutOfTurn& each : last_.verdict.overtakings.out_of_turn)
    result.push_back({last_.operations[each.operation], last_.operations[each.instead_of], each.distance});
  return result;
}

void QuasiJudge::add_counts(TestResult& result) const {
  result.linearizable = linearizable_;
  result.relaxed = relaxed_;
  result.unexplained = unexplained_;
  if (basis_.runs) result.serial_executions += basis_.runs->executions();
}

}  // namespace muster
