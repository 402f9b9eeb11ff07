#include "harness/estimates.hpp"

#include <fmt/format.h>

#include "check/estimate_tests.hpp"
#include "explore/estimate.hpp"
#include "harness/check_run.hpp"
#include "report/terminal.hpp"

namespace muster {
namespace {

std::string line(const std::string& name, const TestsEstimate& estimated, StrategyKind kind, const std::string& tests) {
  if (estimated.concurrent == 0)
    return fmt::format("{}: how many executions there are cannot be told{}\n", name, tests);
  if (kind != StrategyKind::reduction)
    return fmt::format("{}: about {} executions{}\n", name, about(estimated.serial + estimated.concurrent), tests);
  const std::string serial = estimated.serial > 0 ? fmt::format(", {} serial ones", about(estimated.serial)) : "";
  return fmt::format("{}: about {} complete executions{}{}\n", name, about(estimated.concurrent), serial, tests);
}

}  // namespace

std::string estimate_line(const Scenario& scenario, const HarnessOptions& options) {
  const auto racy_sites = make_racy_sites({});
  const double estimated =
      estimate_executions(program_of(scenario), options.strategy, *racy_sites, options.explore.runtime);
  return line(scenario.name, {.concurrent = estimated}, options.strategy.kind, "");
}

std::string estimate_line(const CheckDefinition& check, const HarnessOptions& options) {
  const TestPart part(tests_of(check, options), options.shard, options.before.tests_done);
  const TestsEstimate estimated = estimate_tests(check, part.source(), check_run_options(options));
  return line(check.name, estimated, options.strategy.kind, " for " + part.whole().description);
}

}  // namespace muster
