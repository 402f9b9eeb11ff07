#include "check/failure_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace muster {

std::string answers(const std::string& answer) {
  if (answer == "#") return "never returns";
  return answer.empty() ? "returns" : answer.starts_with("throws ") ? answer : "returns " + answer;
}

namespace {

std::string answered(const std::string& answer) {
  return answer.empty() ? "returned" : answer.starts_with("throws ") ? answer : "returned " + answer;
}
/// "B's TryTake()".
std::string whose(const CheckDefinition& check, const std::vector<TestOperation>& operations, int index) {
  const auto at = static_cast<std::size_t>(index);
  return fmt::format("{}'s {}", column_name(operations[at].column), name_of(check, operations, at));
}

std::string sentence(const CheckDefinition& check, const Failure& failure) {
  const auto operations = operations_of(failure.test);
  const auto blamed = [&] { return whose(check, operations, failure.blamed); };
  std::vector<std::string> possible = failure.possible;
  std::transform(possible.begin(), possible.end(), possible.begin(),
                 [](const std::string& text) { return answers(text); });
  switch (failure.kind) {
    case FailureKind::no_witness:
      if (failure.blamed >= 0 && possible.empty())
        return fmt::format("{} {}; in every serial order something never returns.", blamed(),
                           answered(failure.answers[static_cast<std::size_t>(failure.blamed)]));
      if (failure.blamed < 0) return "no serial order explains these answers together.";
      return fmt::format("{} {}; in every serial order it {}.", blamed(),
                         answered(failure.answers[static_cast<std::size_t>(failure.blamed)]),
                         fmt::join(possible, " or "));
    case FailureKind::stuck:
      if (possible.empty()) return fmt::format("{} never returns; no serial order is stuck there.", blamed());
      return fmt::format("{} never returns; in no serial order is it stuck there: it {}.", blamed(),
                         fmt::join(possible, " or "));
    case FailureKind::nondeterministic:
    case FailureKind::own_threads:
    case FailureKind::unlucky: {
      const std::string& answer = failure.answers[static_cast<std::size_t>(failure.blamed)];
      const bool returned =
          std::find(failure.marks.begin(), failure.marks.end(),
                    HistoryMark{static_cast<std::uint8_t>(failure.blamed), true}) != failure.marks.end();
      return fmt::format("nondeterministic{}: after the same calls, {} {} in one serial execution and {} in another.",
                         failure.kind == FailureKind::own_threads ? " because of its own threads"
                         : failure.kind == FailureKind::unlucky ? " where a wait expires or something fails spuriously"
                                                                : "",
                         blamed(), returned ? answers(answer) : "never returns", possible.at(0));
    }
    case FailureKind::invariant:
      return fmt::format("\"{}\" does not hold when all operations have returned.", failure.note);
    case FailureKind::no_synchronisation:
    case FailureKind::not_quasi:
    case FailureKind::no_progress:
      return failure.note;
    case FailureKind::incident:
      return failure.incident->message;
  }
  return {};
}

/// One line a sequence or column, with the answers.
std::vector<std::string> matrix(const CheckDefinition& check, const Failure& failure) {
  std::vector<std::string> lines;
  std::set<unsigned> called, returned;
  for (const HistoryMark& mark : failure.marks) (mark.is_return ? returned : called).insert(mark.operation);
  const auto operations = operations_of(failure.test);
  std::size_t index = 0;
  const auto line = [&](const std::string& name, const Sequence& sequence) {
    std::string text = fmt::format("{:<7} ", name);
    for (std::size_t i = 0; i < sequence.size(); ++i, ++index) {
      if (i > 0) text += ", ";
      text += name_of(check, operations, index);
      if (!called.contains(static_cast<unsigned>(index))) continue;
      if (!returned.contains(static_cast<unsigned>(index)))
        text += " never returns";
      else if (!failure.answers[index].empty())
        text += (failure.answers[index].starts_with("throws ") ? " " : " → ") + failure.answers[index];
    }
    lines.push_back(text);
  };
  if (!failure.test.first.empty()) line("first", failure.test.first);
  for (std::size_t c = 0; c < failure.test.columns.size(); ++c)
    line(column_name(static_cast<int>(c)), failure.test.columns[c]);
  if (!failure.test.last.empty()) line("last", failure.test.last);
  return lines;
}

}  // namespace

Finding to_finding(const CheckDefinition& check, const Failure& failure) {
  Finding finding;
  finding.subject = check.name;
  finding.kind = failure.incident ? name(failure.incident->kind) : name(failure.kind);
  finding.sentence = sentence(check, failure);
  finding.schedule = to_string(failure.schedule);
  finding.preemptions = failure.preemptions;
  finding.test = to_text(check, failure.test);
  finding.matrix = matrix(check, failure);
  if (failure.kind == FailureKind::nondeterministic || failure.kind == FailureKind::own_threads ||
      failure.kind == FailureKind::unlucky) {
    finding.afterwards = {"One     " + failure.serial_orders.at(0), "Another " + failure.note};
  } else if (!failure.serial_orders.empty()) {
    finding.afterwards = {fmt::format("Serial orders: {}", fmt::join(failure.serial_orders, " · "))};
  }
  return finding;
}

}  // namespace muster
