#include "harness/run/scenario_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "harness/options/sites.hpp"
#include "harness/run/alike_races.hpp"
#include "harness/run/fewest_preemptions.hpp"
#include "harness/run/incident_task.hpp"
#include "harness/run/likely_next.hpp"
#include "harness/steps/asides.hpp"
#include "harness/steps/cause.hpp"
#include "harness/steps/replayed.hpp"
#include "harness/steps/steps.hpp"
#include "instrument/control.hpp"
#include "search/estimate.hpp"

namespace muster {

Program program_of(const Scenario& scenario) {
  return {[](void* scenario) { static_cast<const Scenario*>(scenario)->body(); }, const_cast<Scenario*>(&scenario)};
}

namespace {

/// Gathers what workers report; the first of each kind and place counts.
class IncidentCollector final : public Collector {
 public:
  explicit IncidentCollector(bool stop_at_first) : stop_at_first_(stop_at_first) {}

  void message(std::span<const std::byte> bytes) override {
    IncidentReport report = IncidentReport::decode(bytes);
    const auto same = [&](const IncidentReport& other) {
      return other.incident.kind == report.incident.kind &&
             static_cast<std::uint32_t>(other.incident.place.site) ==
                 static_cast<std::uint32_t>(report.incident.place.site) &&
             static_cast<std::uint32_t>(other.incident.earlier.site) ==
                 static_cast<std::uint32_t>(report.incident.earlier.site);
    };
    if (std::none_of(reports.begin(), reports.end(), same)) reports.push_back(std::move(report));
  }

  bool died(const Incident& death, const Journal& journal, const RacySites& racy_sites,
            std::uint64_t execution) override {
    IncidentReport report{.incident = death, .schedule = {}, .racy_sites = {}, .execution = execution};
    racy_sites.for_each([&](std::uint32_t site) { report.racy_sites.push_back(site); });
    const auto decisions = journal.schedule.decisions();
    report.schedule.assign(decisions.begin(), decisions.end());
    const bool stop = stop_at_first_ && is_finding(report.incident.kind);
    message(report.encode());
    return stop || report.incident.kind == IncidentKind::unsupported || report.incident.kind == IncidentKind::hang;
  }

  std::vector<IncidentReport> reports;

 private:
  bool stop_at_first_;
};

}  // namespace

bool suppressed(const Incident& incident, const HarnessOptions& options, Symbolizer& symbolizer) {
  if (!is_race(incident.kind)) return false;
  if (!options.report_races) return true;
  for (const std::string& pattern : options.suppressions) {
    const std::regex regex(pattern);
    for (const SiteId site :
         {incident.place.site, symbolizer.widen(static_cast<std::uint32_t>(incident.earlier.site))}) {
      const SourcePlace& place = symbolizer.locate(site);
      if (std::regex_search(place.function, regex) || std::regex_search(place.file, regex)) return true;
    }
  }
  return false;
}

namespace {

/// How it happened; with it the names of what a deadlock is about are known.
void tell_steps(Finding& finding, const Incident& incident, const FailingExecution& failing, const Program& program,
                const HarnessOptions& options, Symbolizer& symbolizer) {
  const Replayed& replayed = failing.replayed;
  std::string blocks;
  finding.steps = to_steps(replayed.events, symbolizer, {.blocks = &blocks});
  if (!blocks.empty()) finding.notes.insert(finding.notes.begin(), blocks);
  if (may_have_cause(finding.kind)) finding.cause = tell_cause(find_cause(failing, options, program), finding.steps);
  if (is_race(incident.kind)) {
    if (const std::string race = describe_race(incident, replayed.events, finding.steps); !race.empty())
      finding.sentence = race;
    end_at_race(incident, replayed.events, finding.steps);
  }
  for (std::string& note : describe_older_values(replayed.events, finding.steps, symbolizer))
    finding.notes.push_back(std::move(note));
  if (finding.kind != FindingKind::deadlock) return;
  if (const std::string waits = describe_waits(replayed.events, finding.steps); !waits.empty())
    finding.sentence = "deadlock: " + waits;
}

/// Follows the schedule once more to see how it happened. A replay that shows something else is itself reported.
Finding explain(const Scenario& scenario, const IncidentReport& report, const HarnessOptions& options,
                Symbolizer& symbolizer) {
  const bool runs_again = report.incident.kind != IncidentKind::not_reproducible;
  Replayed replayed =
      runs_again ? replay_showing(program_of(scenario), options, report.schedule, report.racy_sites, report.incident)
                 : Replayed();
  settle(replayed.events, symbolizer);
  const Incident incident = as_replayed(report.incident, replayed);
  Finding finding = describe(scenario.name, incident, symbolizer);
  finding.schedule = to_string(report.schedule);
  finding.execution = report.execution;
  finding.preemptions = count_preemptions(report.schedule);
  finding.racy_sites = name_sites(report.racy_sites, symbolizer);
  if (!runs_again) return finding;
  tell_steps(finding, incident, {replayed, report.schedule, report.racy_sites, shown_sites(incident)},
             program_of(scenario), options, symbolizer);
  const auto again = std::find_if(replayed.incidents.begin(), replayed.incidents.end(),
                                  [&](const Incident& i) { return i.kind == incident.kind; });
  if (again == replayed.incidents.end()) {
    finding.proven = false;
    finding.notes.push_back(
        "Running the schedule again did not show it: the program depends on something that is not controlled.");
  }
  return finding;
}

/// An execution that sees all calls of code that is not watched, so that a pass does not claim to know what it does
/// not.
void look_for_escaped_calls(const Program& program, const HarnessOptions& options) {
  if (!calls_may_escape()) return;
  const auto sites = make_racy_sites({});
  replay_in_worker(program, options, {}, *sites, true);
}

CoverageReport tell(const Coverage& coverage, const StrategyConfig& strategy) {
  CoverageReport report;
  static_cast<Tally&>(report) = coverage.counters;
  report.seconds = coverage.seconds;
  report.complete = report.executions - report.ended_early();
  report.executions_left = whole_number(coverage.left);
  report.exhausted = coverage.exhausted;
  report.sampled = coverage.sampled;
  report.all_schedules = coverage.all_schedules;
  report.reduced = coverage.reduced;
  report.some_bound_exhausted = coverage.some_bound_exhausted;
  tell_bound(report, coverage.bounds.preemptions);
  report.late_yields = coverage.bounds.late_yields;
  report.strategy = name(strategy.kind);
  return report;
}

}  // namespace

Result run_scenario(const Scenario& scenario, const HarnessOptions& options, Symbolizer& symbolizer,
                    ProgramCheckpoint* rest) {
  const Program program = program_of(scenario);
  auto racy_sites = make_racy_sites({});
  IncidentCollector collector(!options.keep_going);
  const auto make_task = [&](Channel& channel, const RacySites& sites, std::uint64_t executions) {
    return std::make_unique<IncidentTask>(channel, sites, !options.keep_going, options.explore.runtime.leaks,
                                          executions);
  };
  ExploreOptions how = options.explore;
  StrategyConfig strategy = options.strategy;
  // Whoever dies in a reduced search ends it.
  strategy.shares.may_reduce = !options.keep_going;
  // Whoever goes on after a crash does so in a new process; a reduced search cannot.
  how.runtime.outlive_faults = !options.keep_going || options.strategy.kind == StrategyKind::reduction;
  if (rest) {
    how.resume = rest->search;
    how.resume.rest.racy_sites = parse_sites(rest->racy_sites, symbolizer);
  }
  if (how.progress) {
    how.progress = [&](Coverage coverage) {
      coverage.findings = collector.reports.size();
      options.explore.progress(coverage);
    };
  }
  const Coverage coverage = explore(program, strategy, make_task, collector, *racy_sites, how);
  if (rest) {
    rest->search = coverage.begun;
    rest->racy_sites = name_sites(coverage.begun.rest.racy_sites, symbolizer);
  }
  Result result;
  result.subject = scenario.name;
  result.coverage = tell(coverage, options.strategy);
  if (coverage.out_of_time) result.stopped = stopped_by_budget;
  std::vector<IncidentReport> races;
  for (IncidentReport& report : collector.reports) {
    if (suppressed(report.incident, options, symbolizer)) continue;
    if (is_race(report.incident.kind))
      races.push_back(std::move(report));
    else
      result.findings.push_back(
          explain(scenario, with_fewest_preemptions(program, std::move(report), options), options, symbolizer));
  }
  const auto race_of = [](const IncidentReport& report) -> const Incident& { return report.incident; };
  const auto cost_of = [](const IncidentReport& report) {
    return std::pair(count_preemptions(report.schedule), report.schedule.size());
  };
  std::vector<ToldRace> told;
  for (auto& group : alike_races(std::move(races), race_of, cost_of, symbolizer, options.all_findings)) {
    told.push_back(tell_one(std::move(group), [&](IncidentReport race) {
      return explain(scenario, with_fewest_preemptions(program, std::move(race), options), options, symbolizer);
    }));
  }
  for (Finding& finding : tell_alike(std::move(told), options.all_findings))
    result.findings.push_back(std::move(finding));
  if (result.findings.empty()) look_for_escaped_calls(program, options);
  // What ended the search comes first, then races in the order they were met, then what may be races.
  const auto rank = [](const Finding& finding) {
    return finding.kind == FindingKind::possible_race ? 2 : finding.kind == FindingKind::race ? 1 : 0;
  };
  std::ranges::stable_sort(result.findings, {}, rank);
  result.outcome = outcome_of(result);
  if (result.findings.empty()) note_next(result.coverage, likely_next(scenario, result.coverage, options));
  return result;
}

Result replay_scenario(const Scenario& scenario, const HarnessOptions& options, const std::vector<Decision>& schedule,
                       const std::vector<std::string>& known_sites, Symbolizer& symbolizer, bool in_this_process,
                       bool silent) {
  const Program program = program_of(scenario);
  const std::vector<std::uint32_t> known = parse_sites(known_sites, symbolizer);
  auto racy_sites = make_racy_sites(known);
  Replayed replayed;
  if (in_this_process) {
    replayed = replay_in_this_process(program, options, schedule, *racy_sites);
  } else {
    replayed = replay_in_worker(program, options, schedule, *racy_sites, silent);
  }
  settle(replayed.events, symbolizer);
  Result result = replay_of(scenario.name, SubjectKind::scenario);
  for (const Incident& incident : replayed.incidents) {
    if (suppressed(incident, options, symbolizer)) continue;
    Finding finding = describe(scenario.name, incident, symbolizer);
    finding.schedule = to_string(schedule);
    finding.preemptions = count_preemptions(schedule);
    finding.execution = 1;
    const bool again = has_two_places(incident.kind) && !in_this_process;
    Replayed shown = again ? replay_showing(program, options, schedule, known, incident) : replayed;
    if (again) settle(shown.events, symbolizer);
    HarnessOptions how = options;
    if (in_this_process) how.cause_executions = 0;  // debuggers follow no forks
    tell_steps(finding, incident,
               {shown, schedule, known, again ? shown_sites(incident) : std::vector<std::uint32_t>()}, program, how,
               symbolizer);
    result.findings.push_back(std::move(finding));
  }
  result.outcome = outcome_of(result);
  return result;
}

}  // namespace muster
