#include "harness/run/estimates.hpp"

#include <fmt/format.h>

#include "check/estimate_tests.hpp"
#include "harness/run/check_run.hpp"
#include "harness/run/scenario_run.hpp"
#include "report/terminal.hpp"
#include "search/estimate.hpp"

namespace muster {
namespace {

/// Drawing does not tell what reduction leaves of a search with a bound: then plain search is asked about.
bool told_by_plain_search(const StrategyConfig& strategy) {
  return strategy.kind == StrategyKind::reduction && strategy.preemptions < DepthFirstBounds::unbounded;
}

HarnessOptions as_estimated(const HarnessOptions& options) {
  HarnessOptions estimated = options;
  if (told_by_plain_search(options.strategy)) {
    estimated.strategy.kind = StrategyKind::depth_first;
    estimated.strategy.late_yields = 0;
  }
  return estimated;
}

std::string line(const std::string& name, const TestsEstimate& estimated, const StrategyConfig& strategy,
                 const std::string& tests) {
  if (estimated.concurrent == 0)
    return fmt::format("{}: how many executions there are cannot be told{}\n", name, tests);
  const bool plainly = told_by_plain_search(strategy);
  if (strategy.kind != StrategyKind::reduction || plainly) {
    return fmt::format("{}: about {} executions{}{}\n", name, about(estimated.serial + estimated.concurrent), tests,
                       plainly ? " by plain search with this bound, of which reduction leaves some out" : "");
  }
  const std::string serial = estimated.serial > 0 ? fmt::format(", {} serial ones", about(estimated.serial)) : "";
  return fmt::format("{}: about {} complete executions{}{}\n", name, about(estimated.concurrent), serial, tests);
}

}  // namespace

std::string estimate_line(const Scenario& scenario, const HarnessOptions& options) {
  const auto racy_sites = make_racy_sites({});
  const double estimated =
      estimate_executions(program_of(scenario), as_estimated(options).strategy, *racy_sites, options.explore.runtime);
  return line(scenario.name, {.concurrent = estimated}, options.strategy, "");
}

std::string estimate_line(const CheckDefinition& check, const HarnessOptions& options) {
  const TestPart part(tests_of(check, options), options.shard, options.before.tests_done);
  const TestsEstimate estimated = estimate_tests(check, part.source(), check_run_options(as_estimated(options)));
  return line(check.name, estimated, options.strategy, " for " + part.whole().description);
}

}  // namespace muster
