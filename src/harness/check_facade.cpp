// What of the public header is not inline.

#include "harness/check_in_test.hpp"
#include "muster/check.hpp"

namespace muster {

__attribute__((visibility("default"))) CheckOutcome Check::run(const RunOptions& asked) const {
  CheckOutcome outcome;
  outcome.passed = run_in_test(*definition_,
                               {.budget_seconds = std::chrono::duration<double>(asked.budget).count(),
                                .size = asked.size,
                                .tests = asked.tests,
                                .seed = asked.seed,
                                .bound = asked.bound,
                                .jobs = asked.jobs,
                                .require_exhausted = asked.require_exhausted},
                               outcome.report);
  return outcome;
}

}  // namespace muster
