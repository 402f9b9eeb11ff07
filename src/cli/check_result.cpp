#include "cli/check_result.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "judge/attempts.hpp"
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
  explicit LogTeller(const LogVerdict& log) : log_(log) {}

  Result tell() {
    Result result;
    result.subject = log_.history.source().name;
    result.source = "log";
    result.summary = summary();
    for (const KeyVerdict& key : log_.summary.others) {
      if (const auto* failing = std::get_if<Counterexample>(&key.verdict)) {
        if (result.outcome != Outcome::failed || log_.every_key) result.findings.push_back(failure(key, *failing));
        result.outcome = Outcome::failed;
      } else {
        result.findings.push_back(open_question(key, std::get<Undecided>(key.verdict)));
        if (result.outcome == Outcome::passed) result.outcome = Outcome::undecided;
      }
    }
    if (result.findings.empty()) result.timeline = explained();
    return result;
  }

 private:
  std::string summary() const {
    const auto failing = std::ranges::count_if(log_.summary.others, fails, &KeyVerdict::verdict);
    std::string out = fmt::format("{}, {}; {}", counted(log_.history.size(), "operation", "operations"),
                                  counted(log_.history.process_count(), "process", "processes"), log_.spec.name());
    if (log_.summary.keys <= 1) return out + (log_.summary.others.empty() ? fmt::format(": {}", log_.property) : "");
    return fmt::format("{}: {} of {} keys {}, {} not, {} undecided", out, log_.summary.passing, log_.summary.keys,
                       log_.property, failing, log_.summary.others.size() - static_cast<std::size_t>(failing));
  }

  Finding about(const KeyVerdict& key) const {
    Finding finding;
    finding.subject = log_.history.source().name;
    if (!key.key.is_none()) finding.subject += fmt::format(", key {}", to_string(key.key));
    return finding;
  }

  Finding open_question(const KeyVerdict& key, const Undecided& undecided) const {
    Finding finding = about(key);
    finding.kind = "undecided";
    finding.proven = false;
    finding.sentence = fmt::format("{}; explained up to the first {} of {} returns", undecided.reason,
                                   undecided.explained, key.operations);
    return finding;
  }

  Finding failure(const KeyVerdict& key, const Counterexample& failing) {
    Finding finding = about(key);
    finding.kind = fmt::format("not {}", log_.property);
    std::ranges::replace(finding.kind, ' ', '-');
    finding.sentence = failing.reason;
    const Binding binding(log_.history, log_.spec);
    finding.timeline = to_timeline(
        log_.history,
        [&](const Operation& operation) { return key.key.is_none() || binding.key(operation) == key.key; }, numbers_);
    if (log_.property != "linearizable") {
      blame(finding.timeline, failing.misfits.front());
      return finding;
    }
    const auto core = find_core(log_.history, log_.spec, failing, log_.judging);
    blame(finding.timeline, core ? core->misfit : failing.misfits.front());
    if (core) tell_core(finding, *core);
    return finding;
  }

  void blame(Timeline& timeline, OperationId id) const {
    if (numbers_[id] != nowhere) timeline.operations[numbers_[id]].blamed = true;
  }

  /// The few operations that show it, and how far each order of them gets.
  void tell_core(Finding& finding, const Core& core) {
    for (const OperationId id : core.operations) {
      if (numbers_[id] != nowhere) finding.timeline.operations[numbers_[id]].core = true;
    }
    finding.notes.push_back(fmt::format("{} operation{} alone show{} it{}", core.operations.size(),
                                        core.operations.size() == 1 ? "" : "s", core.operations.size() == 1 ? "s" : "",
                                        core.irreducible ? "" : "; perhaps fewer do"));
    const History part = core_history(log_.history, core);
    for (const AttemptedOrder& attempt : attempted_orders(part, log_.spec, shown_attempts)) {
      Attempt told;
      for (const OperationId id : attempt.order) add(told, part, core.operations, id);
      add(told, part, core.operations, attempt.refused);
      told.why = fmt::format("{} cannot come next{}", to_string(part, attempt.refused),
                             attempt.state.empty() ? "" : fmt::format(": the object is {} then", attempt.state));
      finding.timeline.attempts.push_back(std::move(told));
    }
  }

  void add(Attempt& told, const History& part, const std::vector<OperationId>& originals, OperationId id) const {
    const std::uint32_t number = numbers_[originals[id]];
    if (number == nowhere) return;
    told.order.push_back(number);
    told.answers.push_back(answer_text(part, part[id]));
  }

  Timeline explained() {
    Timeline timeline = to_timeline(
        log_.history, [](const Operation&) { return true; }, numbers_);
    if (log_.summary.witness.order.empty()) return timeline;
    Attempt order;
    for (const OperationId id : log_.summary.witness.order) order.order.push_back(numbers_[id]);
    timeline.attempts.push_back(std::move(order));
    return timeline;
  }

  const LogVerdict& log_;
  std::vector<std::uint32_t> numbers_;  ///< of operations on the timeline made last
};

}  // namespace

Timeline to_timeline(const History& history, const std::function<bool(const Operation&)>& shown,
                     std::vector<std::uint32_t>& numbers) {
  Timeline timeline;
  if (history.has_times()) timeline.unit = "ns";
  numbers.assign(history.size(), nowhere);
  for (OperationId id = 0; id < history.size(); ++id) {
    const Operation& operation = history[id];
    if (!shown(operation)) continue;
    numbers[id] = static_cast<std::uint32_t>(timeline.operations.size());
    TimelineOperation& bar = timeline.operations.emplace_back();
    const Value process = history.process_name(operation.process);
    bar.thread = process.is_none() ? "all" : to_string(process);
    bar.call = call_text(history, operation);
    bar.answer = answer_text(history, operation);
    bar.begin = history.has_times() ? history.call_time(id) : operation.call;
    bar.pending = operation.is_pending();
    if (!bar.pending) bar.end = history.has_times() ? history.return_time(id) : operation.ret;
    bar.line = static_cast<int>(operation.line);
  }
  return timeline;
}

Result to_result(const LogVerdict& log) { return LogTeller(log).tell(); }

}  // namespace muster::cli
