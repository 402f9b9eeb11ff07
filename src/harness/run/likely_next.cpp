#include "harness/run/likely_next.hpp"

#include <fmt/format.h>

#include <functional>

#include "check/estimate_tests.hpp"
#include "harness/options/sites.hpp"
#include "harness/run/check_run.hpp"
#include "harness/run/scenario_run.hpp"
#include "report/terminal.hpp"
#include "search/estimate.hpp"

namespace muster {
namespace {

// Drawing takes time, too: so many executions are drawn of each possibility, and small searches do without.
constexpr std::uint64_t drawn = 60, least_executions = 1'000;
constexpr std::chrono::seconds patience{2};
constexpr double seconds_for_tests = 0.05;

/// About how many executions a search makes; 0: not known.
using Estimate = std::function<double(const StrategyConfig&)>;

std::string about_time(double seconds) {
  if (seconds < 1) return "in less than a second";
  if (seconds < 120) return fmt::format("in about {:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("in about {:.0f} min", seconds / 60);
  return fmt::format("in about {:.0f} h", seconds / 3600);
}

std::string tell(const std::string& option, double executions, double each, const std::string& what) {
  return fmt::format("Likely next: {}, {} ({} executions, {})", option, what, about(executions),
                     about_time(executions * each));
}

bool is_worth_it(const CoverageReport& coverage, const HarnessOptions& options) {
  const bool is_search =
      options.strategy.kind == StrategyKind::portfolio || options.strategy.kind == StrategyKind::depth_first;
  return is_search && !options.quiet && coverage.executions >= least_executions && coverage.seconds > 0;
}

/// Larger bounds, or none.
std::string more_schedules(const CoverageReport& coverage, const HarnessOptions& options, const Estimate& estimate) {
  constexpr double slower = 4;  // than one of plain search is one of a search by classes, with those that end early
  const double each = coverage.seconds / static_cast<double>(coverage.executions);
  StrategyConfig larger = options.strategy, unbounded = options.strategy;
  larger.kind = StrategyKind::depth_first;
  larger.preemptions = coverage.preemptions + 1;
  unbounded.kind = StrategyKind::reduction;
  unbounded.preemptions = DepthFirstBounds::unbounded;
  const double bounded = estimate(larger), classes = estimate(unbounded);
  if (classes > 0 && (bounded == 0 || classes <= bounded))
    return tell("--unbounded", classes * slower, each, "which leaves no schedule out");
  if (bounded == 0) return "";
  const std::string option = fmt::format("--bound {}", larger.preemptions);
  return tell(option, bounded, each, "as few failures need more preemptions");
}

std::string more_time(const CoverageReport& coverage) {
  if (coverage.executions_left == 0) return "";
  const auto left = static_cast<double>(coverage.executions_left);
  const double each = coverage.seconds / static_cast<double>(coverage.executions);
  return tell("a larger --budget", left, each, "for what is left");
}

}  // namespace

std::string likely_next(const Scenario& scenario, const CoverageReport& coverage, const HarnessOptions& options) {
  if (!is_worth_it(coverage, options)) return "";
  if (!coverage.exhausted) return more_time(coverage);
  if (coverage.all_schedules) return "";
  return more_schedules(coverage, options, [&](const StrategyConfig& strategy) {
    const auto sites = make_racy_sites({});
    const Program program = program_of(scenario);
    return estimate_in_worker(*sites, options.explore.runtime, patience,
                              [&](Engine& engine, Journal& journal, RacySites& racy_sites) {
                                warm_up(engine, journal, program);
                                return estimate_executions(EstimateBench{engine, journal, racy_sites, program},
                                                           strategy, {.executions = drawn});
                              });
  });
}

std::string likely_next(const CheckDefinition& check, const CoverageReport& coverage, const HarnessOptions& options) {
  if (!is_worth_it(coverage, options)) return "";
  if (!coverage.exhausted) return more_time(coverage);
  if (!coverage.all_schedules) {
    const TestSource source = TestPart(tests_of(check, options), options.shard, {}).source();
    return more_schedules(coverage, options, [&](const StrategyConfig& strategy) {
      CheckRunOptions run = check_run_options(options);
      run.check.strategy = strategy;
      return estimate_tests(check, source, run, patience, seconds_for_tests).concurrent;
    });
  }
  if (!options.matrices.empty() || !check.tests.empty() || coverage.tests_known < options.tests) return "";
  const double each = coverage.seconds / static_cast<double>(coverage.executions);
  return tell(fmt::format("--tests {}", 2 * options.tests), 2 * static_cast<double>(coverage.executions), each,
              "as every schedule of these tests was covered");
}

}  // namespace muster
