#include "rule/failure_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.hpp"

namespace muster {

std::string answers(const std::string& answer) {
  if (answer == "#") return "never returns";
  return answer.empty() ? "returns" : answer.starts_with("throws ") ? answer : "returns " + answer;
}

std::string answered(const std::string& answer) {
  return answer.empty() ? "returned" : answer.starts_with("throws ") ? answer : "returned " + answer;
}

std::string whose(const CheckDefinition& check, const std::vector<TestOperation>& operations, int index) {
  const auto at = static_cast<std::size_t>(index);
  return fmt::format("{}'s {}", column_name(operations[at].column), name_of(check, operations, at));
}

namespace {

std::string sentence(const CheckDefinition& check, const Failure& failure) {
  const auto operations = operations_of(failure.test);
  const auto blamed = [&] { return whose(check, operations, failure.blamed); };
  std::vector<std::string> possible = failure.possible;
  std::transform(possible.begin(), possible.end(), possible.begin(),
                 [](const std::string& text) { return answers(text); });
  switch (failure.kind) {
    case FindingKind::not_linearizable:
      if (failure.blamed >= 0 && possible.empty())
        return fmt::format("{} {}; in every serial order something never returns.", blamed(),
                           answered(failure.answers[static_cast<std::size_t>(failure.blamed)]));
      if (failure.blamed < 0) return "no serial order explains these answers together.";
      return fmt::format("{} {}; in every serial order it {}.", blamed(),
                         answered(failure.answers[static_cast<std::size_t>(failure.blamed)]),
                         fmt::join(possible, " or "));
    case FindingKind::stuck:
      if (!failure.note.empty()) return failure.note;
      if (possible.empty()) return fmt::format("{} never returns; no serial order is stuck there.", blamed());
      return fmt::format("{} never returns; in no serial order is it stuck there: it {}.", blamed(),
                         fmt::join(possible, " or "));
    case FindingKind::nondeterministic:
    case FindingKind::own_threads:
    case FindingKind::unlucky: {
      const std::string& answer = failure.answers[static_cast<std::size_t>(failure.blamed)];
      const bool returned =
          std::find(failure.marks.begin(), failure.marks.end(),
                    HistoryMark{static_cast<std::uint8_t>(failure.blamed), true}) != failure.marks.end();
      return fmt::format("nondeterministic{}: after the same calls, {} {} in one serial execution and {} in another.",
                         failure.kind == FindingKind::own_threads ? " because of its own threads"
                         : failure.kind == FindingKind::unlucky ? " where a wait expires or something fails spuriously"
                                                                : "",
                         blamed(), returned ? answers(answer) : "never returns", possible.at(0));
    }
    case FindingKind::invariant:
      return fmt::format("\"{}\" does not hold when all operations have returned.", failure.note);
    case FindingKind::no_synchronisation:
    case FindingKind::not_quasi:
    case FindingKind::no_progress:
      return failure.note;
    default:
      return failure.incident->message;
  }
}

}  // namespace

namespace {

/// What became of a call that has not returned: where something ended the execution, only that of the thread in which
/// it happened says so.
std::string unfinished(const Failure& failure, int column) {
  if (!failure.incident || is_race(failure.incident->kind)) return " never returns";
  const bool is_here = failure.incident->place.thread == static_cast<ThreadId>(column + 1);
  if (!is_here) return " has not returned";
  return failure.incident->kind == IncidentKind::crash   ? " crashes"
         : failure.incident->kind == IncidentKind::abort ? " aborts"
                                                         : " goes wrong";
}

}  // namespace

std::vector<std::string> matrix(const CheckDefinition& check, const Failure& failure) {
  std::set<unsigned> called, returned;
  for (const HistoryMark& mark : failure.marks) (mark.is_return ? returned : called).insert(mark.operation);
  std::vector<std::pair<std::string, std::vector<std::string>>> rows;
  std::vector<std::size_t> widths;
  const auto operations = operations_of(failure.test);
  unsigned index = 0;
  const auto add_row = [&](const std::string& name, const Sequence& sequence) {
    auto& cells = rows.emplace_back(name, std::vector<std::string>()).second;
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      std::string text = name_of(check, operations, index);
      const std::string& answer = failure.answers[index];
      if (called.contains(index) && !returned.contains(index))
        text += unfinished(failure, operations[index].column);
      else if (called.contains(index) && !answer.empty())
        text += (answer.starts_with("throws ") ? " " : " → ") + answer;
      if (widths.size() < cells.size() + 1) widths.push_back(0);
      widths[cells.size()] = std::max(widths[cells.size()], width_of(text));
      cells.push_back(std::move(text));
      ++index;
    }
  };
  if (!failure.test.first.empty()) add_row("first", failure.test.first);
  for (std::size_t c = 0; c < failure.test.columns.size(); ++c)
    add_row(column_name(static_cast<int>(c)), failure.test.columns[c]);
  if (!failure.test.last.empty()) add_row("last", failure.test.last);
  std::vector<std::string> lines;
  for (const auto& [name, cells] : rows) {
    std::string line = fmt::format("{:<7} ", name);
    for (std::size_t c = 0; c < cells.size(); ++c)
      line += c + 1 < cells.size() ? padded(cells[c], widths[c] + 3) : cells[c];
    lines.push_back(std::move(line));
  }
  return lines;
}

namespace {

/// A serial run that gets stuck has the answers seen as far as it goes, and does not go far enough, or not to the
/// operation to blame.
std::string what_is_missing(const Timeline& timeline, const Attempt& attempt) {
  const auto has = [&](std::uint32_t number) {
    return std::find(attempt.order.begin(), attempt.order.end(), number) != attempt.order.end();
  };
  for (std::uint32_t number = 0; number < timeline.operations.size(); ++number) {
    const TimelineOperation& bar = timeline.operations[number];
    if (!bar.pending && !has(number))
      return fmt::format("{}'s {} returned in the execution, and does not come about here", bar.thread, bar.call);
  }
  for (std::uint32_t number = 0; number < timeline.operations.size(); ++number) {
    const TimelineOperation& bar = timeline.operations[number];
    if (bar.blamed && !has(number))
      return fmt::format("{}'s {}, which never returned in the execution, is not what is stuck here", bar.thread,
                         bar.call);
  }
  return {};
}

/// The history as bars from call to return, and the nearest serial runs up to where each answers otherwise.
Timeline timeline(const CheckDefinition& check, const Failure& failure) {
  Timeline timeline;
  const auto operations = operations_of(failure.test);
  std::map<unsigned, std::uint32_t> numbers;
  for (std::size_t at = 0; at < failure.marks.size(); ++at) {
    const unsigned operation = failure.marks[at].operation;
    if (!failure.marks[at].is_return) {
      numbers[operation] = static_cast<std::uint32_t>(timeline.operations.size());
      TimelineOperation& bar = timeline.operations.emplace_back();
      bar.thread = column_name(operations[operation].column);
      bar.call = name_of(check, operations[operation].invocation);
      bar.begin = static_cast<std::int64_t>(at);
      bar.pending = bar.core = true;
      bar.blamed = failure.blamed == static_cast<int>(operation);
    } else if (const auto found = numbers.find(operation); found != numbers.end()) {
      TimelineOperation& bar = timeline.operations[found->second];
      bar.pending = false;
      bar.end = static_cast<std::int64_t>(at);
      bar.answer = failure.answers[operation];
    }
  }
  for (const DisplacedCall& each : failure.displaced) {
    const auto operation = numbers.find(each.operation), instead_of = numbers.find(each.instead_of);
    if (operation != numbers.end() && instead_of != numbers.end())
      timeline.displacements.push_back({operation->second, instead_of->second, each.distance});
  }
  for (const std::vector<std::uint8_t>& join : failure.joins) {
    auto& drawn = timeline.joins.emplace_back();
    for (const unsigned operation : join) drawn.push_back(numbers.at(operation));
  }
  for (const SerialRun& run : failure.serial_runs) {
    Attempt attempt;
    for (std::size_t i = 0; i < run.order.size() && attempt.why.empty(); ++i) {
      const auto number = numbers.find(run.order[i]);
      if (number == numbers.end()) continue;
      const TimelineOperation& bar = timeline.operations[number->second];
      const std::string seen = bar.pending ? "#" : bar.answer;
      attempt.order.push_back(number->second);
      attempt.answers.push_back(run.answers[i] == "#" ? "never returns" : run.answers[i]);
      if (run.answers[i] != seen)
        attempt.why = fmt::format("{} {} here, and {} in the execution", bar.call, answers(run.answers[i]),
                                  seen == "#" ? "never returned" : answered(seen));
    }
    if (attempt.why.empty()) attempt.why = what_is_missing(timeline, attempt);
    timeline.attempts.push_back(std::move(attempt));
  }
  return timeline;
}

}  // namespace

Finding open_question(const CheckDefinition& check, const Test& test, const std::string& why) {
  Finding finding = open_question(check.name, why);
  finding.test = to_text(check, test);
  finding.matrix = {finding.test};
  return finding;
}

Finding to_finding(const CheckDefinition& check, const Failure& failure) {
  Finding finding;
  finding.subject = check.name;
  finding.kind = failure.kind;
  finding.sentence = sentence(check, failure);
  if (failure.incident) finding.proven = is_finding(failure.incident->kind);
  finding.schedule = to_string(failure.schedule);
  finding.preemptions = failure.preemptions;
  finding.planned = failure.planned;
  finding.serial = failure.serial;
  finding.test = to_text(check, failure.test);
  finding.matrix = matrix(check, failure);
  finding.timeline = timeline(check, failure);
  if (is_nondeterministic(failure.kind)) {
    finding.afterwards = {"One     " + failure.serial_orders.at(0), "Another " + failure.note};
  } else if (!failure.serial_orders.empty()) {
    finding.afterwards = {"Serial runs, the nearest first:"};
    for (const std::string& order : failure.serial_orders) {
      // Orders that differ in who called are one to the reader; and # is how histories write it.
      const std::string line =
          "    " + (order.ends_with(" #") ? order.substr(0, order.size() - 1) + "never returns" : order);
      if (std::find(finding.afterwards.begin(), finding.afterwards.end(), line) == finding.afterwards.end())
        finding.afterwards.push_back(line);
    }
  }
  return finding;
}

}  // namespace muster
