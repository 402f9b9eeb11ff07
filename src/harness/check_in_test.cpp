// Checks inside the tests of another framework: run where they are defined, told as a value.

#include <fmt/core.h>

#include <cstdio>

#include "harness/check_run.hpp"
#include "harness/registry.hpp"
#include "muster/check.hpp"
#include "report/terminal.hpp"

namespace muster {

__attribute__((visibility("default"))) CheckOutcome Check::run(const RunOptions& asked) const {
  require_complete(*definition_);
  HarnessOptions options;
  options.program = "check.run";
  options.explore.budget_seconds = std::chrono::duration<double>(asked.budget).count();
  options.explore.jobs = asked.jobs;
  options.strategy.preemptions = asked.bound;
  options.strategy.seed = asked.seed;
  options.size = asked.size;
  options.tests = asked.tests;
  Symbolizer symbolizer;
  const Result result = run_check(*definition_, options, symbolizer);
  const bool enough = result.coverage.exhausted || !asked.require_exhausted;
  CheckOutcome outcome{result.outcome == Outcome::passed && enough,
                       draw(result, TerminalStyle::for_file(stdout, options.program))};
  if (!outcome.passed) fmt::print("{}", outcome.report);
  std::fflush(stdout);
  return outcome;
}

}  // namespace muster
