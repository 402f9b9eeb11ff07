#include "cli/check_synchronisation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/check_result.hpp"
#include "cli/read_log.hpp"
#include "judge/synchronisation.hpp"
#include "report/terminal.hpp"
#include "spec/synchronisation_objects.hpp"

namespace muster::cli {
namespace {

void print_operation(const History& history, OperationId id, std::string_view indent) {
  const Operation& operation = history[id];
  const Value process = history.process_name(operation.process);
  fmt::print("{}{}{}{}\n", indent, operation.line > 0 ? fmt::format("line {:>7}  ", operation.line) : "",
             process.is_none() ? "" : fmt::format("process {:>3}  ", to_string(process)), to_string(history, id));
}

void print_witness(const History& history, const SyncSpec& spec, const SyncWitness& witness) {
  fmt::print("  synchronisations that explain it:\n");
  for (const Synchronisation& synchronisation : witness.synchronisations) {
    fmt::print("    {}\n", spec.modes()[synchronisation.mode].name);
    for (const OperationId id : synchronisation.participants) print_operation(history, id, "      ");
  }
}

/// Synchronisations are joins on the timeline.
Result synchronisation_result(const History& history, const SyncSpec& spec, const SyncVerdict& verdict,
                              const SyncOptions& judging) {
  Result result;
  result.subject = history.source().name;
  result.source = "log";
  result.summary = fmt::format("{}, {}; {}", counted(history.size(), "operation", "operations"),
                               counted(history.process_count(), "process", "processes"), spec.name());
  std::vector<std::uint32_t> numbers;
  Timeline timeline = to_timeline(
      history, [](const Operation&) { return true; }, numbers);
  const auto join = [&](const std::vector<Synchronisation>& synchronisations) {
    for (const Synchronisation& each : synchronisations)
      timeline.joins.emplace_back(each.participants.begin(), each.participants.end());
  };
  if (const auto* witness = std::get_if<SyncWitness>(&verdict)) {
    join(witness->synchronisations);
    result.timeline = std::move(timeline);
    return result;
  }
  Finding& finding = result.findings.emplace_back();
  finding.subject = result.subject;
  if (const auto* failing = std::get_if<SyncCounterexample>(&verdict)) {
    result.outcome = Outcome::failed;
    finding.kind = failing->fault == SyncFault::unexplained ? "not-synchronisation-linearizable" : "no-progress";
    finding.sentence = failing->reason;
    for (const OperationId id : failing->operations)
      timeline.operations[id].core = timeline.operations[id].blamed = true;
    join(explain_the_rest(history, spec, *failing, judging));
    finding.timeline = std::move(timeline);
  } else {
    result.outcome = Outcome::undecided;
    finding.kind = "undecided";
    finding.proven = false;
    finding.sentence = std::get<Undecided>(verdict).reason;
  }
  return result;
}

}  // namespace

bool is_synchronisation(const CheckOptions& options) {
  const auto names = synchronisation_spec_names();
  return std::ranges::find(names, options.spec) != names.end();
}

ExitCode check_synchronisation(const CheckOptions& options, const std::string& path, Report& report) {
  const SyncSpecPtr spec = find_synchronisation_spec(options.spec, options.participants);
  History history = read_log(path, options);
  arrange(history, *spec);
  SyncOptions judging;
  judging.limits = options.judge_options();
  if (options.general) judging.judge = SyncJudge::search;
  const SyncVerdict verdict =
      options.stuck ? judge_progress(history, *spec, judging) : judge_synchronisation(history, *spec, judging);
  if (options.report_files.any()) report.results.push_back(synchronisation_result(history, *spec, verdict, judging));
  fmt::print("{}: {}, {}", history.source().name, counted(history.size(), "operation", "operations"),
             counted(history.process_count(), "process", "processes"));
  fmt::print("{}\n", history.pending() > 0 ? fmt::format(", {} pending", history.pending()) : "");
  if (const auto* undecided = std::get_if<Undecided>(&verdict)) {
    fmt::print("  {}: undecided: {}\n", spec->name(), undecided->reason);
    return ExitCode::undecided;
  }
  if (const auto* failing = std::get_if<SyncCounterexample>(&verdict)) {
    fmt::print("  {}: {}: {}\n", spec->name(),
               failing->fault == SyncFault::unexplained ? "NOT SYNCHRONISATION-LINEARIZABLE" : "NO PROGRESS",
               failing->reason);
    for (const OperationId id : failing->operations) print_operation(history, id, "      ");
    return ExitCode::finding;
  }
  fmt::print("  {}: synchronisation-linearizable{}\n", spec->name(), options.stuck ? ", and may block here" : "");
  if (options.explain) print_witness(history, *spec, std::get<SyncWitness>(verdict));
  return ExitCode::no_finding;
}

}  // namespace muster::cli
