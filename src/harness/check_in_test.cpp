#include "harness/check_in_test.hpp"

#include <fmt/core.h>

#include <cstdio>

#include "harness/run/check_run.hpp"
#include "report/terminal.hpp"
#include "rule/registry.hpp"

namespace muster {

bool run_in_test(const detail::CheckDefinition& check, const RunInTest& asked, std::string& report) {
  require_complete(check);
  HarnessOptions options;
  options.program = "check.run";
  options.explore.deadline = Halt::after(asked.budget_seconds);
  options.explore.jobs = asked.jobs;
  options.strategy.kind = StrategyKind::portfolio;
  options.strategy.preemptions = asked.bound;
  options.strategy.seed = asked.seed;
  constexpr const char* usual_size = "3x3";  // what nobody asks for: roles may need more
  options.size = asked.size == usual_size ? "" : asked.size;
  options.tests = asked.tests;
  Symbolizer symbolizer;
  const Result result = run_check(check, options, symbolizer);
  report = draw(result, TerminalStyle::for_file(stdout, options.program));
  const bool passed =
      result.outcome == Outcome::passed || (result.outcome == Outcome::no_finding && !asked.require_exhausted);
  if (!passed) fmt::print("{}", report);
  std::fflush(stdout);
  return passed;
}

}  // namespace muster
