#include "harness/scenario_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "base/error.hpp"
#include "base/shared_memory.hpp"
#include "harness/endings.hpp"
#include "harness/steps.hpp"
#include "harness/tracer.hpp"
#include "reduction/replay_strategy.hpp"
#include "search/death.hpp"
#include "search/estimate.hpp"
#include "search/supervisor.hpp"

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

  /// Whether a possible race turned out to be one, in another execution.
  bool is_proven(const IncidentReport& report) const {
    if (report.incident.kind != IncidentKind::possible_race) return false;
    const auto sites = [](const Incident& incident) {
      return std::minmax(static_cast<std::uint32_t>(incident.place.site),
                         static_cast<std::uint32_t>(incident.earlier.site));
    };
    return std::ranges::any_of(reports, [&](const IncidentReport& other) {
      return other.incident.kind == IncidentKind::race && sites(other.incident) == sites(report.incident);
    });
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

Shared<RacySites> make_racy_sites(const std::vector<std::uint32_t>& known) {
  auto sites = make_shared_memory<RacySites>();
  for (const std::uint32_t site : known) sites->insert(site);
  return sites;
}

namespace {

Replayed replay_once(Engine& engine, Journal& journal, const Program& program, const std::vector<Decision>& schedule,
                     bool leaks, const std::function<void(const TracedEvent&)>& tell) {
  // Whoever followed a plan decided to the end, or ended the execution.
  ReplayStrategy strategy(schedule, engine.options().planned);
  Replayed result;
  Tracer tracer(engine, tell);
  strategy.begin_execution(journal.schedule);
  result.execution = engine.execute(program, strategy, tracer);
  tracer.tell_blocked();
  result.incidents = tracer.incidents;
  append_ending(result.execution, journal.schedule, engine, leaks, result.incidents);
  return result;
}

/// What was told before `forget` is not part of the execution.
Replayed replay_here(Engine& engine, Journal& journal, const Program& program, const std::vector<Decision>& schedule,
                     bool leaks, const std::function<void(const TracedEvent&)>& tell,
                     const std::function<void()>& forget) {
  warm_up(engine, journal, program);
  for (;;) {
    Replayed result = replay_once(engine, journal, program, schedule, leaks, tell);
    if (!was_set_up(result.execution, engine, journal, program)) return result;
    forget();
  }
}

template <class T>
void send(Channel& channel, char tag, const T& value) {
  std::vector<std::byte> message(1, static_cast<std::byte>(tag));
  const auto bytes = std::as_bytes(std::span(&value, 1));
  message.insert(message.end(), bytes.begin(), bytes.end());
  channel.send(message);
}

template <class T>
T received(std::span<const std::byte> message) {
  alignas(T) std::byte storage[sizeof(T)];
  std::copy_n(message.data() + 1, sizeof(T), storage);
  return *reinterpret_cast<const T*>(storage);
}

/// Until the worker is done; what it ended with, if it did not come to its end, is among the incidents.
void receive_all(std::unique_ptr<Worker> worker, const HarnessOptions& options, const Journal& journal,
                 std::vector<Incident>& incidents, Duties duties) {
  Halt halt(Halt::never);
  const WorkerEnd end = supervise(std::move(worker), halt, options.explore.hang_seconds, std::move(duties));
  if (end.died()) incidents.push_back(incident_of(end, journal, options.explore.hang_seconds));
}

}  // namespace

Replayed replay_in_worker(const Program& program, const HarnessOptions& options, const std::vector<Decision>& schedule,
                          RacySites& racy_sites, bool silent) {
  auto journal = make_shared_memory<Journal>();
  Replayed result;
  auto worker = std::make_unique<Worker>(
      *journal, racy_sites, options.explore.runtime, silent, [&](Engine& engine, Channel& channel) {
        const auto tell = [&](const TracedEvent& event) { send(channel, 'e', event); };
        const auto forget = [&] { send(channel, 'f', '\0'); };
        const Replayed here =
            replay_here(engine, *journal, program, schedule, options.explore.runtime.leaks, tell, forget);
        for (const Incident& incident : here.incidents) send(channel, 'i', incident);
        send(channel, 'x', here.execution);
      });
  const auto handle = [&](std::span<const std::byte> message) {
    switch (static_cast<char>(message[0])) {
      case 'e':
        append(result.events, received<TracedEvent>(message));
        break;
      case 'f':
        result.events.clear();
        break;
      case 'i':
        result.incidents.push_back(received<Incident>(message));
        break;
      case 'x':
        result.execution = received<Execution>(message);
        break;
      default:
        break;
    }
  };
  receive_all(std::move(worker), options, *journal, result.incidents,
              {.message = handle, .error = [](const std::string&) {}});
  return result;
}

Replayed replay_showing(const Program& program, const HarnessOptions& options, const std::vector<Decision>& schedule,
                        const std::vector<std::uint32_t>& known_sites, const Incident& incident) {
  const auto sites = make_racy_sites(known_sites);
  if (has_two_places(incident.kind)) {
    for (const Place& place : {incident.place, incident.earlier}) sites->show(static_cast<std::uint32_t>(place.site));
  }
  return replay_in_worker(program, options, schedule, *sites, true);
}

std::vector<Incident> run_in_worker(Journal& journal, RacySites& racy_sites, const HarnessOptions& options, bool silent,
                                    const std::function<std::vector<Incident>(Engine&)>& work) {
  std::vector<Incident> incidents;
  auto worker = std::make_unique<Worker>(journal, racy_sites, options.explore.runtime, silent,
                                         [&](Engine& engine, Channel& channel) {
                                           for (const Incident& incident : work(engine)) send(channel, 'i', incident);
                                         });
  receive_all(std::move(worker), options, journal, incidents, {.message = [&](std::span<const std::byte> message) {
                if (static_cast<char>(message[0]) == 'i') incidents.push_back(received<Incident>(message));
              }});
  return incidents;
}

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
void tell_steps(Finding& finding, const Incident& incident, const Replayed& replayed, Symbolizer& symbolizer) {
  finding.steps = to_steps(replayed.events, symbolizer);
  if (is_race(incident.kind)) {
    if (const std::string race = describe_race(incident, replayed.events, finding.steps); !race.empty())
      finding.sentence = race;
    end_at_race(incident, replayed.events, finding.steps);
  }
  for (std::string& note : describe_older_values(replayed.events, finding.steps, symbolizer))
    finding.notes.push_back(std::move(note));
  if (finding.kind != name(IncidentKind::deadlock)) return;
  if (const std::string waits = describe_waits(replayed.events, finding.steps); !waits.empty())
    finding.sentence = "deadlock: " + waits;
}

/// Follows the schedule once more to see how it happened. A replay that shows something else is itself reported.
Finding explain(const Scenario& scenario, const IncidentReport& report, const HarnessOptions& options,
                Symbolizer& symbolizer) {
  Finding finding = describe(scenario.name, report.incident, symbolizer);
  finding.schedule = to_string(report.schedule);
  finding.execution = report.execution;
  finding.preemptions = count_preemptions(report.schedule);
  finding.racy_sites = name_sites(report.racy_sites, symbolizer);
  if (report.incident.kind == IncidentKind::not_reproducible) return finding;
  const Replayed replayed =
      replay_showing(program_of(scenario), options, report.schedule, report.racy_sites, report.incident);
  tell_steps(finding, report.incident, replayed, symbolizer);
  const auto again = std::find_if(replayed.incidents.begin(), replayed.incidents.end(),
                                  [&](const Incident& i) { return i.kind == report.incident.kind; });
  if (again == replayed.incidents.end()) {
    finding.proven = false;
    finding.notes.push_back(
        "Running the schedule again did not show it: the program depends on something that is not controlled.");
  }
  return finding;
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
  if (rest) racy_sites->use_weak_orders();  // what is left may have been found with older values
  IncidentCollector collector(!options.keep_going);
  const auto make_task = [&](Channel& channel, const RacySites& sites, std::uint64_t executions) {
    return std::make_unique<IncidentTask>(channel, sites, !options.keep_going, options.explore.runtime.leaks,
                                          executions);
  };
  ExploreOptions how = options.explore;
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
  const Coverage coverage = explore(program, options.strategy, make_task, collector, *racy_sites, how);
  if (rest) {
    rest->search = coverage.begun;
    rest->racy_sites = name_sites(coverage.begun.rest.racy_sites, symbolizer);
  }
  Result result;
  result.subject = scenario.name;
  result.coverage = tell(coverage, options.strategy);
  if (coverage.out_of_time) result.stopped = stopped_by_budget;
  for (const IncidentReport& report : collector.reports) {
    if (collector.is_proven(report)) continue;
    if (!suppressed(report.incident, options, symbolizer))
      result.findings.push_back(explain(scenario, report, options, symbolizer));
  }
  // What ended the search comes first, then races in the order they were met, then what may be races.
  const auto rank = [](const Finding& finding) {
    return finding.kind == name(IncidentKind::possible_race) ? 2 : finding.kind == name(IncidentKind::race) ? 1 : 0;
  };
  std::ranges::stable_sort(result.findings, {}, rank);
  result.outcome = outcome_of(result);
  return result;
}

Replayed replay_in_this_process(const Program& program, const HarnessOptions& options,
                                const std::vector<Decision>& schedule, RacySites& racy_sites) {
  auto journal = make_shared_memory<Journal>();
  Engine engine(options.explore.runtime, *journal, racy_sites, preferred_context_mode());
  if (take_control) take_control(engine);
  std::vector<TracedEvent> events;
  Replayed replayed = replay_here(
      engine, *journal, program, schedule, options.explore.runtime.leaks,
      [&](const TracedEvent& event) { append(events, event); }, [&] { events.clear(); });
  replayed.events = std::move(events);
  muster::engine = nullptr;
  return replayed;
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
  Result result;
  result.subject = scenario.name;
  result.coverage.executions = 1;
  result.coverage.strategy = "replay";
  result.coverage.exhausted = true;  // one execution was asked for
  for (const Incident& incident : replayed.incidents) {
    if (suppressed(incident, options, symbolizer)) continue;
    Finding finding = describe(scenario.name, incident, symbolizer);
    finding.schedule = to_string(schedule);
    finding.preemptions = count_preemptions(schedule);
    finding.execution = 1;
    const bool again = has_two_places(incident.kind) && !in_this_process;
    tell_steps(finding, incident, again ? replay_showing(program, options, schedule, known, incident) : replayed,
               symbolizer);
    result.findings.push_back(std::move(finding));
  }
  result.outcome = outcome_of(result);
  return result;
}

}  // namespace muster
