#include "stress/stress_result.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/rng.hpp"
#include "base/shared_memory.hpp"
#include "base/supervisor.hpp"
#include "rule/failure_words.hpp"
#include "rule/quasi_judge.hpp"
#include "rule/synchronisation.hpp"
#include "stress/stress_hooks.hpp"

namespace muster {
namespace {

constexpr std::uint64_t batch_size = 20;

CoverageReport coverage_of(const CheckDefinition& check, const TestSource& source, const CheckRun& run) {
  CoverageReport coverage;
  coverage.strategy = "stress";
  coverage.tests = source.description;
  coverage.tests_known = source.count;
  coverage.tests_run = run.results.size();
  if (!run.results.empty() && run.results.back().limit == Limit::run) --coverage.tests_run;  // it was cut short
  coverage.seconds = run.seconds;
  for (const TestResult& result : run.results) {
    coverage.executions += result.executions;
    coverage.histories += result.histories;
  }
  coverage.warnings = warnings_about(check, source, run.results);
  return coverage;
}

/// What a child tells about the scenario it runs.
struct ScenarioReport {
  std::uint64_t runs = 0;
  RunEnd kind = RunEnd::completed;
  char requirement[512] = "";
};
ScenarioReport* report = nullptr;

class ScenarioSubject final : public StressSubject {
 public:
  explicit ScenarioSubject(const Scenario& scenario) : scenario_(scenario) {}
  void begin(std::size_t) override {}
  void end(std::size_t) override {}
  void work(std::size_t, unsigned) override { scenario_.body(); }

 private:
  const Scenario& scenario_;
};

[[noreturn]] void run_scenario_here(const Scenario& scenario, std::uint64_t runs, const StressOptions& options) {
  Stress stress(1, options);
  const auto subject = std::make_shared<ScenarioSubject>(scenario);
  while (report->runs < runs && report->kind == RunEnd::completed) {
    const auto ends = stress.run(subject, std::min(batch_size, runs - report->runs), AfterStuck::stop);
    report->runs += ends.size();
    report->kind = ends.back();
  }
  std::fflush(nullptr);
  _exit(0);
}

std::optional<Finding> finding_of(const Scenario& scenario, const ScenarioReport& told, const ProcessEnd& end) {
  Finding finding;
  finding.subject = scenario.name;
  if (told.requirement[0]) {
    finding.kind = FindingKind::requirement;
    finding.sentence = fmt::format("a requirement does not hold: {}", told.requirement);
  } else if (end.signal != 0) {
    finding.kind = FindingKind::crash;
    finding.sentence = fmt::format("{} in run {} or soon after it", strsignal(end.signal), told.runs + 1);
  } else if (end.code != 0) {
    finding.kind = FindingKind::crash;
    finding.sentence =
        fmt::format("the process ended with exit code {} in run {} or soon after it", end.code, told.runs + 1);
  } else if (told.kind == RunEnd::stuck) {
    finding.kind = FindingKind::deadlock;
    finding.sentence = "deadlock. Every thread sleeps without a timeout, and nobody is left to wake any.";
  } else if (told.kind == RunEnd::suspected) {
    finding.kind = FindingKind::hang;
    finding.proven = false;
    finding.sentence =
        "a run does not end within its --patience, but its threads are not all asleep: perhaps it is only slow";
  } else {
    return std::nullopt;
  }
  return finding;
}

/// Real threads tell no more than when calls begin and return; which returned before another began is what a serial
/// order has to keep.
std::vector<Step> calls_and_returns(const Timeline& timeline) {
  std::map<std::int64_t, Step> steps;
  for (const TimelineOperation& bar : timeline.operations) {
    Step step;
    step.thread = bar.thread;
    step.operation = bar.call;
    step.action = "begins";
    steps.emplace(bar.begin, step);
    if (bar.pending) continue;
    step.action = bar.answer.empty() ? "returns" : "returns " + bar.answer;
    step.decisive = bar.blamed;
    steps.emplace(bar.end, step);
  }
  std::vector<Step> ordered;
  for (auto& [at, step] : steps) {
    step.switched = !ordered.empty() && ordered.back().thread != step.thread;
    ordered.push_back(std::move(step));
  }
  return ordered;
}

}  // namespace

Result stress_check(const CheckDefinition& check, const TestChoice& choice, const StressCheckOptions& options) {
  TestChoice chosen = choice;
  chosen.displacement = QuasiRequest(check, "", "").displacement();
  const TestSource source = choose_tests(check, chosen);
  const CheckRun run = stress_tests(check, source, options);
  Result result;
  result.subject = check.name;
  result.source = SubjectKind::check;
  result.coverage = coverage_of(check, source, run);
  for (const TestResult& test : run.results) {
    if (test.failure) {
      Finding finding = to_finding(check, *test.failure);
      finding.proven = !test.failure->suspected;
      finding.execution = test.executions;
      finding.schedule.clear();
      finding.steps = calls_and_returns(finding.timeline);
      finding.notes.push_back(fmt::format("On real threads, in run {} of test {}; there is no schedule to replay.",
                                          test.executions, test.number + 1));
      if (test.failure->suspected)
        finding.notes.push_back("Suspected: nothing happened for long, but the threads are not all asleep.");
      result.findings.push_back(std::move(finding));
      break;
    }
    if (test.verdict != TestVerdict::undecided || test.limit != Limit::none) continue;
    result.findings.push_back(open_question(check, source.test(test.number), test.undecided));
    break;
  }
  result.outcome = outcome_of(result);
  if (!run.complete) stop(result, run.out_of_time ? stopped_by_budget : stopped_by_somebody);
  return result;
}

std::string describe(const StressProgress& progress, const std::string& name, double seconds) {
  const auto rate = static_cast<std::uint64_t>(static_cast<double>(progress.runs) / std::max(seconds, 0.001));
  return fmt::format("{}: {} runs, {} a second, {} of {} {}, {}", name, progress.runs, rate, progress.done,
                     progress.count, progress.runs == progress.done ? "runs" : "tests",
                     progress.findings ? fmt::format("{} found", progress.findings) : "no finding yet");
}

Result stress_scenario(const Scenario& scenario, std::uint64_t runs, const StressCheckOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto shared = make_shared_memory<ScenarioReport>();
  auto worker = std::make_unique<ChildProcess>([&](Channel&) {
    report = shared.get();
    seed_stress_choices(options.stress.seed);
    run_scenario_here(scenario, runs, options.stress);
  });
  Halt halt(options.deadline, options.interrupted);
  const auto tell_progress = [&] {
    if (options.progress) options.progress({shared->runs, shared->runs, runs, 0});
  };
  const ProcessEnd end = supervise(std::move(worker), halt, never_hangs, {.message = {}, .tick = tell_progress});
  Result result;
  result.subject = scenario.name;
  result.coverage.strategy = "stress";
  result.coverage.executions = shared->runs;
  result.coverage.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (auto finding = finding_of(scenario, *shared, end)) {
    finding->execution = shared->runs;
    result.findings.push_back(std::move(*finding));
  }
  result.outcome = outcome_of(result);
  if (end.stopped) stop(result, halt.is_late() ? stopped_by_budget : stopped_by_somebody);
  return result;
}

namespace {
std::uint64_t choices_seed = 1;
}

void seed_stress_choices(std::uint64_t seed) { choices_seed = seed; }

unsigned stress_choose(unsigned n) {
  static std::atomic<std::uint64_t> threads{0};
  static thread_local Rng random(mix(choices_seed, threads.fetch_add(1)));
  return n <= 1 ? 0 : static_cast<unsigned>(random.below(n));
}

void stress_signal(unsigned role, bool back) { StressColumns::signal(role, back); }

void stress_requirement_failed(const char* condition, const char* file, int line) noexcept {
  if (!report) {
    std::fprintf(stderr, "%s:%d: MUSTER_REQUIRE(%s) failed\n", file, line, condition);
    std::abort();
  }
  ++report->runs;
  std::snprintf(report->requirement, sizeof report->requirement, "%s:%d: %s", file, line, condition);
  _exit(1);
}

}  // namespace muster
