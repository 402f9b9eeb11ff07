#include "cli/check_result.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "judge/core/attempts.hpp"
#include "report/terminal.hpp"

namespace muster::cli {
namespace {

constexpr std::size_t shown_attempts = 12;

std::string call_text(const History& history, const Operation& operation) {
  std::string out(history.method_name(operation.method));
  out += '(';
  bool first = true;
  for (const Value value : history.arguments(operation)) {
    if (!first) out += ", ";
    out += to_string(value);
    first = false;
  }
  out += ')';
  if (!operation.key.is_none()) out += " of " + to_string(operation.key);
  return out;
}

class LogTeller {
 public:
  explicit LogTeller(const LogVerdict& log) : log_(log), binding_(log.history, log.spec) {}

  ToldLog tell() {
    Result& result = told_.result;
    result.subject = log_.history.source().name;
    result.source = SubjectKind::log;
    result.summary = size_of(log_.history);
    if (const std::string conclusion = conclude(); !conclusion.empty()) result.conclusions.push_back(conclusion);
    for (const KeyVerdict& key : log_.summary.others) {
      if (const auto* failing = std::get_if<Counterexample>(&key.verdict)) {
        if (result.outcome != Outcome::failed || log_.every_key) result.findings.push_back(failure(key, *failing));
        result.outcome = Outcome::failed;
      } else {
        result.findings.push_back(undecided(key, std::get<Undecided>(key.verdict)));
        if (result.outcome == Outcome::passed) result.outcome = Outcome::undecided;
      }
    }
    if (result.findings.empty()) tell_order();
    return std::move(told_);
  }

 private:
  /// What the log is as a whole; of a single object that fails, the finding says it.
  std::string conclude() const {
    const KeySummary& summary = log_.summary;
    if (summary.keys <= 1)
      return summary.passing == summary.keys ? fmt::format("{}: {}", log_.spec.name(), log_.property.adjective) : "";
    const auto failing = static_cast<std::size_t>(std::ranges::count_if(summary.others, fails, &KeyVerdict::verdict));
    const std::size_t undecided = summary.others.size() - failing;
    const std::string not_judged =
        summary.not_judged ? fmt::format(", {} not judged (--all judges every key)", with_commas(summary.not_judged))
                           : "";
    return fmt::format("{} of {}: {} {}{}{}{}", counted(summary.keys, "key", "keys"), log_.spec.name(),
                       with_commas(summary.passing), log_.property.adjective,
                       failing ? fmt::format(", {} NOT", with_commas(failing)) : "",
                       undecided ? fmt::format(", {} undecided", with_commas(undecided)) : "", not_judged);
  }

  Finding undecided(const KeyVerdict& key, const Undecided& undecided) const {
    return open_question(object_of(log_.history, key.key),
                         fmt::format("{}; explained up to the first {} of {} returns", undecided.reason,
                                     with_commas(undecided.explained), with_commas(key.operations)));
  }

  Finding failure(const KeyVerdict& key, const Counterexample& failing) {
    Finding finding;
    finding.subject = object_of(log_.history, key.key);
    finding.kind = log_.property.fault;
    finding.sentence = failing.reason;
    std::optional<Core> core;
    if (log_.property.fault == FindingKind::not_linearizable && (log_.explain || log_.in_full))
      core = find_core(log_.history, log_.spec, failing, log_.judging);
    const OperationId misfit = core ? core->misfit : failing.misfits.front();
    finding.timeline = to_timeline(
        log_.history, [&](OperationId id) { return id == misfit || belongs(id, key, core); }, numbers_);
    blame(finding.timeline, misfit);
    if (core) tell_core(finding, *core);
    return finding;
  }

  bool belongs(OperationId id, const KeyVerdict& key, const std::optional<Core>& core) const {
    if (log_.in_full) return key.key.is_none() || binding_.key(log_.history[id]) == key.key;
    return core && std::ranges::find(core->operations, id) != core->operations.end();
  }

  void blame(Timeline& timeline, OperationId id) const {
    if (numbers_[id] != nowhere) timeline.operations[numbers_[id]].blamed = true;
  }

  /// The few operations that show it, and how far each order of them gets.
  void tell_core(Finding& finding, const Core& core) {
    History part = core_history(log_.history, core);
    for (OperationId id = 0; id < part.size(); ++id) {
      const OperationId original = core.operations[id];
      if (numbers_[original] == nowhere) continue;
      TimelineOperation& bar = finding.timeline.operations[numbers_[original]];
      bar.core = true;
      bar.late = part[id].is_pending() && !log_.history[original].is_pending();
    }
    finding.notes.push_back(fmt::format("{} alone {} it{}", counted(part.size(), "operation", "operations"),
                                        part.size() == 1 ? "shows" : "show",
                                        core.irreducible ? "" : " (perhaps fewer do)"));
    if (log_.in_full) tell_attempts(finding.timeline, part, core.operations);
    if (!told_.core) told_.core = std::move(part);
  }

  void tell_attempts(Timeline& timeline, const History& part, const std::vector<OperationId>& originals) const {
    for (const AttemptedOrder& attempt : attempted_orders(part, log_.spec, shown_attempts)) {
      Attempt& told = timeline.attempts.emplace_back();
      for (const OperationId id : attempt.order) add(told, part, originals, id);
      add(told, part, originals, attempt.refused);
      told.why = fmt::format("{} cannot come next{}", to_string(part, attempt.refused),
                             attempt.state.empty() ? "" : fmt::format(": the object is {} then", attempt.state));
    }
  }

  void add(Attempt& told, const History& part, const std::vector<OperationId>& originals, OperationId id) const {
    const std::uint32_t number = numbers_[originals[id]];
    if (number == nowhere) return;
    told.order.push_back(number);
    told.answers.push_back(answer_text(part, part[id]));
  }

  void tell_order() {
    if (!log_.explain && !log_.in_full) return;
    Timeline& timeline = told_.result.timeline = to_timeline(
        log_.history, [](OperationId) { return true; }, numbers_);
    const std::vector<OperationId>& order = log_.summary.witness.order;
    if (!order.empty()) {
      Attempt& attempt = timeline.attempts.emplace_back();
      for (const OperationId id : order) attempt.order.push_back(numbers_[id]);
    } else if (log_.explain && !log_.history.empty()) {
      told_.result.coverage.notes.emplace_back(
          "no order is shown: the search for one hit a limit, and the monitor that decides needs none");
    }
  }

  const LogVerdict& log_;
  Binding binding_;
  ToldLog told_;
  std::vector<std::uint32_t> numbers_;  ///< of operations on the timeline made last
};

}  // namespace

std::string object_of(const History& history, Value key) {
  return history.source().name + (key.is_none() ? "" : ", key " + to_string(key));
}

std::string size_of(const History& history) {
  const HistorySource& source = history.source();
  std::string out = counted(history.size(), "operation", "operations");
  if (source.format != "intervals") out += ", " + counted(history.process_count(), "process", "processes");
  if (history.pending() > 0) out += fmt::format(", {} pending", with_commas(history.pending()));
  if (source.unknown > 0) out += fmt::format(", {} of unknown outcome", with_commas(source.unknown));
  if (source.ignored > 0) out += fmt::format("; {} ignored", counted(source.ignored, "other entry", "other entries"));
  return out;
}

namespace {

/// Where each stands among the operations. One without a time has no place among those that have one.
void add_disturbances(const History& history, Timeline& timeline) {
  for (const Disturbance& each : history.source().disturbances) {
    if (history.has_times() && !each.time) continue;
    timeline.disturbances.push_back(
        {history.has_times() ? *each.time : std::int64_t{each.before}, each.text, static_cast<int>(each.line)});
  }
}

}  // namespace

Timeline to_timeline(const History& history, const std::function<bool(OperationId)>& shown,
                     std::vector<std::uint32_t>& numbers) {
  Timeline timeline;
  if (history.has_times()) timeline.unit = "ns";
  add_disturbances(history, timeline);
  numbers.assign(history.size(), nowhere);
  for (OperationId id = 0; id < history.size(); ++id) {
    if (!shown(id)) continue;
    const Operation& operation = history[id];
    numbers[id] = static_cast<std::uint32_t>(timeline.operations.size());
    TimelineOperation& bar = timeline.operations.emplace_back();
    const Value process = history.process_name(operation.process);
    bar.thread = process.is_none() ? nobody : to_string(process);
    bar.call = call_text(history, operation);
    bar.answer = answer_text(history, operation);
    bar.begin = history.has_times() ? history.call_time(id) : operation.call;
    bar.pending = operation.is_pending();
    if (!bar.pending) bar.end = history.has_times() ? history.return_time(id) : operation.ret;
    bar.line = static_cast<int>(operation.line);
  }
  return timeline;
}

ToldLog to_result(const LogVerdict& log) { return LogTeller(log).tell(); }

}  // namespace muster::cli
