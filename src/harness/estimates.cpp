#include "harness/estimates.hpp"

#include <fmt/format.h>

#include "check/estimate_tests.hpp"
#include "explore/estimate.hpp"
#include "harness/check_run.hpp"
#include "report/terminal.hpp"

namespace muster {
namespace {

std::string line(const std::string& name, double estimated, StrategyKind kind, const std::string& tests) {
  if (estimated == 0) return fmt::format("{}: how many executions there are cannot be told{}\n", name, tests);
  const char* const which = kind == StrategyKind::reduction ? "complete executions" : "executions";
  return fmt::format("{}: about {} {}{}\n", name, about(estimated), which, tests);
}

}  // namespace

std::string estimate_line(const Scenario& scenario, const HarnessOptions& options) {
  const auto racy_sites = make_racy_sites({});
  const double estimated =
      estimate_executions(program_of(scenario), options.strategy, *racy_sites, options.explore.runtime);
  return line(scenario.name, estimated, options.strategy.kind, "");
}

std::string estimate_line(const CheckDefinition& check, const HarnessOptions& options) {
  const TestPart part(tests_of(check, options), options.shard, options.before.tests_done);
  const double estimated = estimate_tests(check, part.source(), check_run_options(options));
  return line(check.name, estimated, options.strategy.kind, " for " + part.whole().description);
}

}  // namespace muster
