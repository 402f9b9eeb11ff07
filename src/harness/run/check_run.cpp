#include "harness/run/check_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "check/check_referee.hpp"
#include "check/rounds.hpp"
#include "harness/follow/steering.hpp"
#include "harness/options/sites.hpp"
#include "harness/run/check_races.hpp"
#include "harness/run/check_summary.hpp"
#include "harness/run/column_order.hpp"
#include "harness/run/growth.hpp"
#include "harness/run/likely_next.hpp"
#include "harness/run/parts_covered.hpp"
#include "harness/run/scenario_run.hpp"
#include "harness/steps/asides.hpp"
#include "harness/steps/check_words.hpp"
#include "harness/steps/steps.hpp"
#include "report/terminal.hpp"
#include "rule/failure_words.hpp"
#include "rule/observation_file.hpp"
#include "rule/quasi_judge.hpp"
#include "rule/synchronisation.hpp"
#include "search/estimate.hpp"

namespace muster {
namespace {

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("{}: cannot be read", path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Phase 1 comes first: a test may fail before two operations overlap.
std::string after(std::uint64_t executions) {
  if (executions == 0) return "when its operations are called one after the other";
  return fmt::format("after {} execution{}", with_commas(executions), executions == 1 ? "" : "s");
}

/// Some sources make tests without end.
std::string of_all(std::uint64_t tests) {
  constexpr std::uint64_t endless = std::uint64_t{1} << 60;
  return tests < endless ? " of " + with_commas(tests) : "";
}

std::string shrunk(std::size_t from, std::size_t to) {
  return from == to ? "" : fmt::format("; shrunk from {} operations to {}", from, to);
}

/// What phase 1 did not enumerate, if anything.
void warn_of_own_threads(const std::vector<TestResult>& results, std::vector<std::string>& warnings) {
  std::uint64_t limited = 0;
  int least = 0;
  for (const TestResult& result : results) {
    if (result.own_threads_bound < 0) continue;
    least = limited == 0 ? result.own_threads_bound : std::min(least, result.own_threads_bound);
    ++limited;
  }
  if (limited == 0) return;
  warnings.push_back(fmt::format(
      "In {} test{} the threads of the object have too many interleavings with serial calls: these were run with at "
      "most {} preemption{} "
      "by them, so an answer that depends on such a thread alone may be missed. A failure is a proof all the same",
      limited, limited == 1 ? "" : "s", least, least == 1 ? "" : "s"));
}

std::string part_of(const Shard& shard) {
  return shard.whole() ? "" : fmt::format("shard {} of {}", shard.number, shard.count);
}

/// Whatever it was; not so a test that the end of the run cut short.
bool came_to_its_end(const TestResult& result) {
  return result.verdict != TestVerdict::undecided || result.limit != Limit::run;
}

void note_test_budget(const std::vector<TestResult>& results, std::vector<std::string>& notes) {
  const auto late = std::ranges::count(results, Limit::test, &TestResult::limit);
  if (late > 0) notes.push_back(fmt::format("{} test{} took more than --test-budget", late, late == 1 ? "" : "s"));
}

CoverageReport coverage_of(const CheckDefinition& check, const CheckRun& run, const TestSource& source,
                           const HarnessOptions& options) {
  CoverageReport coverage;
  coverage.strategy = name(options.strategy.kind);
  coverage.tests = source.description;
  coverage.part = part_of(options.shard);
  coverage.tests_run = static_cast<std::uint64_t>(std::ranges::count_if(run.results, came_to_its_end));
  for (const auto& [first, end] : options.before.tests_done) coverage.tests_run += end - first;
  coverage.tests_known = source.count;
  coverage.seconds = run.seconds;
  coverage.executions_left = whole_number(run.left);
  coverage.exhausted = run.complete && !is_random(options.strategy.kind);
  coverage.sampled = run.complete && is_random(options.strategy.kind);
  CheckTotals totals = options.before.totals;
  for (const TestResult& result : run.results) {
    totals.add(result);
    coverage.exhausted &= result.verdict != TestVerdict::undecided;
    coverage.sampled &= result.verdict != TestVerdict::undecided || result.limit == Limit::sample;
    // A test that fails is not searched to its end, and ends the run.
    coverage.exhausted &= result.verdict != TestVerdict::failed || options.all_tests;
  }
  static_cast<Tally&>(coverage) = totals;
  coverage.complete = totals.executions - totals.serial_executions - totals.ended_early();
  coverage.all_schedules = totals.all_schedules;
  coverage.reduced = coverage.all_schedules && std::ranges::any_of(run.results, &TestResult::reduced);
  coverage.some_bound_exhausted = coverage.exhausted;
  coverage.warnings = warnings_about(check, source, run.results);
  note_test_budget(run.results, coverage.notes);
  warn_of_own_threads(run.results, coverage.warnings);
  tell_bound(coverage, options.strategy.preemptions);
  coverage.symmetry = options.strategy.symmetry == Symmetry::threads ? "threads"
                      : options.strategy.symmetry == Symmetry::data  ? "data"
                                                                     : "";
  return coverage;
}

/// The largest factor that any history needs, with the history.
void add_largest_factor(CoverageReport& coverage, const CheckDefinition& check, const CheckRun& run,
                        Symbolizer& symbolizer) {
  const TestResult* most = nullptr;
  std::uint64_t linearizable = 0, relaxed = 0;
  for (const TestResult& result : run.results) {
    linearizable += result.linearizable;
    relaxed += result.relaxed;
    if (result.widest && (!most || result.largest_factor > most->largest_factor)) most = &result;
  }
  if (linearizable + relaxed == 0) return;
  coverage.notes.push_back(fmt::format("Linearizable histories: {}; only quasi-linearizable: {}",
                                       with_commas(linearizable), with_commas(relaxed)));
  if (!most) return;
  const Finding widest = describe(check, *most->widest, symbolizer);
  coverage.notes.push_back(
      fmt::format("Largest factor that a history needs: {} ({})", most->largest_factor, most->widest->note));
  for (const std::string& line : widest.matrix) coverage.notes.push_back("    " + line);
}

/// Where predictions steer: first the failures that each test's executions without preemptions predict, then the search
/// of each test. A prediction in a later test would otherwise wait for the searches of those before it.
CheckRun run_steered(const CheckDefinition& check, const TestSource& source, CheckRunOptions options) {
  const bool steered = options.check.strategy.kind == StrategyKind::predict;
  if (!steered || source.count == 1 || options.keep_going) return run_tests(check, source, options);
  options.check.recorded_only = true;
  const auto resume = std::exchange(options.resume, {});  // for the search
  const CheckRun expected = run_tests(check, source, options);
  const auto& tried = expected.results;
  if (std::any_of(tried.begin(), tried.end(), [](const TestResult& r) { return r.failure.has_value(); }))
    return expected;
  options.check.strategy.kind = StrategyKind::depth_first;
  options.resume = resume;
  CheckRun run = run_tests(check, source, options);
  run.seconds += expected.seconds;
  for (TestResult& result : run.results) {
    const auto before =
        std::find_if(tried.begin(), tried.end(), [&](const TestResult& r) { return r.number == result.number; });
    if (before == tried.end()) continue;
    result.executions += before->executions;
    result.steps += before->steps;
    result.cpu_seconds += before->cpu_seconds;
  }
  return run;
}

void write_histories(const std::string& path, const CheckDefinition& check, const TestSource& source,
                     const CheckRun& run) {
  std::ofstream file(path);
  for (const TestResult& result : run.results) {
    file << fmt::format("# {}: {}\n", check.name, to_text(check, source.test(result.number)));
    for (const ToldHistory& history : result.told)
      file << fmt::format("{}history met {} times\n{}\n", history.stuck ? "stuck " : "", history.times, history.text);
  }
  if (!file.flush()) fail("{}: cannot be written", path);
}

}  // namespace

HarnessOptions as_found(HarnessOptions options, FindingKind kind, bool serial, bool planned) {
  const bool unlucky = kind == FindingKind::unlucky;
  options.explore.runtime.planned |= planned;
  options.explore.runtime.serial = serial;
  options.explore.runtime.early_timeouts = unlucky;
  if (options.explore.runtime.serial && !unlucky) options.explore.runtime.spurious_failures = 0;
  options.explore.runtime.leaks = false;
  return options;
}

std::string sentence_of(const std::string& subject, const Incident& race, const Replayed& shown,
                        Symbolizer& symbolizer) {
  const std::string words = describe_race(race, shown.events, to_steps(shown.events, symbolizer));
  return words.empty() ? describe(subject, race, symbolizer).sentence : words;
}

Cause cause_of(const CheckDefinition& check, const Failure& failure, const HarnessOptions& rules,
               const Replayed& replayed) {
  if (failure.serial || failure.planned || !may_have_cause(failure.kind)) return {};
  const std::vector<std::uint32_t> shown =
      failure.incident ? shown_sites(*failure.incident) : std::vector<std::uint32_t>();
  return find_cause({replayed, failure.schedule, failure.racy_sites, shown}, rules,
                    [&](Engine& engine, WorkerSlot& slot, const auto& use) {
                      CheckOptions options = check_run_options(rules).check;
                      options.tell_histories = false;
                      options.deadline = std::chrono::steady_clock::time_point::max();
                      CheckBench bench = lonely_bench(engine, slot, check, options);
                      with_referee(bench, failure.test, use);
                    });
}

Finding explain(const CheckDefinition& check, Failure failure, const HarnessOptions& options, Symbolizer& symbolizer) {
  Columns columns(check, failure.test);
  columns.set_serial(failure.serial);
  const HarnessOptions rules = as_found(options, failure.kind, failure.serial, failure.planned);
  const auto racy_sites = make_racy_sites(failure.racy_sites);
  Replayed replayed =
      failure.incident
          ? replay_showing(columns.program(), rules, failure.schedule, failure.racy_sites, *failure.incident)
          : replay_in_worker(columns.program(), rules, failure.schedule, *racy_sites, true);
  settle(replayed.events, symbolizer);
  if (failure.incident) failure.show(as_replayed(*failure.incident, replayed));
  const Cause cause = cause_of(check, failure, rules, replayed);
  const ColumnOrder order(failure.test, replayed.events);
  order.apply(replayed);
  if (failure.incident) order.apply(*failure.incident);
  Finding finding = describe(check, failure, symbolizer);
  tell(finding, tell_execution(check, failure, replayed.events, cause, symbolizer));
  if (is_race(failure)) finding.sentence = sentence_of(check.name, *failure.incident, replayed, symbolizer);
  const auto shows = [&](IncidentKind kind) {
    return std::any_of(replayed.incidents.begin(), replayed.incidents.end(),
                       [kind](const Incident& incident) { return incident.kind == kind; });
  };
  const bool crashes = failure.incident && failure.incident->kind == IncidentKind::crash;
  if (shows(IncidentKind::not_reproducible) || (crashes && !shows(IncidentKind::crash))) {
    finding.proven = false;
    finding.notes.push_back(
        "Running the schedule again did not show it: the class depends on something that is not controlled.");
  }
  if (order.object_has_threads()) finding.notes.push_back("Threads that are not in the test are the object's own.");
  if (!options.against.empty())
    finding.notes.push_back("Differs from the record in " + options.against + ".");
  else if (options.minimise > 0 && !failure.minimal && !is_race(failure))  // the test of a race stays as it is
    finding.notes.push_back(fmt::format("Not shown to be minimal: {}.", Halt(options.explore.deadline).is_late()
                                                                            ? stopped_by_budget
                                                                            : "not every smaller test was decided"));
  if (options.explore.runtime.spurious_failures > 0) finding.notes.push_back("Assuming spurious failures.");
  return finding;
}

TestSource tests_of(const CheckDefinition& check, const HarnessOptions& options) {
  if (!options.against.empty() && options.matrices.empty()) {
    return given_tests({parse_test(check, test_of_observations(read_text(options.against), options.against))});
  }
  return choose_tests(check, {options.matrices, options.automatic, options.size, options.tests, options.strategy.seed,
                              options.uniform_tests, QuasiRequest(check, options.quasi, options.spec).displacement()});
}

SyncJudge synchronisation_judge(const HarnessOptions& options) {
  return options.judge == "search"     ? SyncJudge::search
         : options.judge == "two-step" ? SyncJudge::two_step
                                       : SyncJudge::automatic;
}

CheckRunOptions check_run_options(const HarnessOptions& options) {
  CheckRunOptions run;
  run.check.synchronisation.judge = synchronisation_judge(options);
  run.check.strategy = options.strategy;
  run.check.strategy.shares = {};  // growth is of all tests together
  run.check.classic = options.classic;
  run.check.quasi = options.quasi;
  run.check.quasi_spec = options.spec;
  run.check.tell_histories = !options.histories.empty();
  run.check.test_seconds = options.test_seconds;
  run.check.deadline = options.explore.deadline;
  static_cast<CampaignOptions&>(run) = as_found(options, FindingKind::none, false).explore;
  run.keep_going = options.all_tests;
  run.minimise = options.minimise;
  if (!options.against.empty()) {
    run.check.record = Record{read_text(options.against), options.against};
    run.minimise = 0;  // a smaller test has no record
  }
  run.progress = options.test_progress;
  return run;
}

namespace {

/// There are fewer tests than shards.
Result nothing_to_run(const CheckDefinition& check, const TestPart& part, const HarnessOptions& options) {
  Result result;
  result.subject = check.name;
  result.source = SubjectKind::check;
  result.outcome = Outcome::no_finding;
  result.stopped = fmt::format("no test fell to {}", part_of(options.shard));
  result.coverage.tests = part.whole().description;
  result.coverage.part = part_of(options.shard);
  result.coverage.tests_known = part.whole().count;
  result.coverage.exhausted = true;
  return result;
}

/// Under a budget that was given, once everything passed.
bool may_grow(const CheckRun& run, const HarnessOptions& options, const CheckRunOptions& how) {
  const auto passed = [](const TestResult& result) {
    return result.verdict == TestVerdict::passed && result.races.empty();
  };
  return how.check.strategy.kind == StrategyKind::portfolio && options.strategy.shares.growth > 0 && !how.keep_going &&
         run.complete && std::ranges::all_of(run.results, passed);
}

}  // namespace

Result run_check(const CheckDefinition& check, const HarnessOptions& options, Symbolizer& symbolizer,
                 ProgramCheckpoint* rest) {
  const TestPart part(tests_of(check, options), options.shard, options.before.tests_done);
  const TestSource source = part.source();
  if (source.count == 0 && options.before.tests_done.empty()) return nothing_to_run(check, part, options);
  CheckRunOptions run_options = check_run_options(options);
  run_options.check.strategy.shares = shares_of_each(check, part.whole().count);
  // How often each history was met, and which one needs the largest factor, is the same for all only without drawing.
  const bool is_counted = !options.histories.empty() || QuasiRequest(check, options.quasi, options.spec).is_made();
  if (is_counted && options.strategy.kind == StrategyKind::portfolio)
    run_options.check.strategy.kind = StrategyKind::depth_first;
  PredictionSteering steering;
  run_options.check.steering = &steering;
  run_options.resume = begun_tests(options.before, part, symbolizer);
  CheckRun run = run_steered(check, source, run_options);
  if (!options.summary.empty()) append_summary(options.summary, check, run);
  if (!options.histories.empty()) write_histories(options.histories, check, source, run);
  if (rest) rest->check = progress_after(options.before, run.results, part, symbolizer);
  Result result;
  result.subject = check.name;
  result.source = SubjectKind::check;
  HarnessOptions covered = options;
  Grown grown;
  if (may_grow(run, options, run_options)) {
    grown = grow(check, source, options, run_options, std::move(run));
    run = std::move(grown.run);
    covered.strategy.preemptions = grown.preemptions;
  }
  result.coverage = coverage_of(check, run, part.whole(), covered);
  if (options.strategy.kind == StrategyKind::portfolio) {
    if (const std::string parts = parts_covered(run, covered.strategy.preemptions); !parts.empty())
      result.coverage.notes.push_back(parts);
  }
  for (const std::string& note : grown.notes) result.coverage.notes.push_back(note);
  add_largest_factor(result.coverage, check, run, symbolizer);
  const auto first =
      std::find_if(run.results.begin(), run.results.end(), [](const TestResult& r) { return r.failure.has_value(); });
  if (first != run.results.end()) {
    const Failure& failure = run.failures.empty() ? *first->failure : run.failures[0];
    Finding finding = explain(check, failure, options, symbolizer);
    finding.execution = first->executions;
    if (failure.kind == FindingKind::not_quasi && first->failure->test.size() > failure.test.size())
      finding.notes.push_back("In the test as it was given: " + first->failure->note);
    const auto failed = std::count_if(run.results.begin(), run.results.end(),
                                      [](const TestResult& r) { return r.verdict == TestVerdict::failed; });
    const bool only_test = part.whole().count == 1 && first->failure->test.size() == failure.test.size();
    if (!grown.found_in.empty())
      finding.notes.insert(finding.notes.begin(), fmt::format("beyond what was asked for, one of {} fails {}",
                                                              grown.found_in, after(first->executions)));
    else if (options.all_tests || !only_test)
      finding.notes.insert(finding.notes.begin(),
                           options.all_tests ? fmt::format("{} of {} tests fail", failed, run.results.size())
                                             : fmt::format("test {}{} fails {}", part.whole_number(first->number) + 1,
                                                           of_all(part.whole().count), after(first->executions)) +
                                                   shrunk(first->failure->test.size(), failure.test.size()));
    result.findings.push_back(std::move(finding));
  }
  add_races(result, check, run, options, symbolizer);
  if (run.out_of_time) result.stopped = stopped_by_budget;
  result.outcome = outcome_of(result);
  const auto undecided = std::find_if(run.results.begin(), run.results.end(), [](const TestResult& r) {
    return r.verdict == TestVerdict::undecided && r.limit == Limit::none;
  });
  if (result.findings.empty() && undecided != run.results.end()) {
    result.findings.push_back(open_question(check, source.test(undecided->number), undecided->undecided));
    result.outcome = Outcome::undecided;
  }
  if (result.findings.empty()) note_next(result.coverage, likely_next(check, result.coverage, options));
  return result;
}

}  // namespace muster
