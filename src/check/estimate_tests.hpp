#pragma once
// How many executions the tests of a check would take, before they are run.

#include "check/run.hpp"
#include "search/estimate.hpp"

namespace muster {

/// Executions, about.
struct TestsEstimate {
  double serial = 0;      // to observe what the class does
  double concurrent = 0;  // complete ones, if the search is reduced; 0: not known
};

/// In a worker, for so many seconds of the processor: a few tests stand for all.
TestsEstimate estimate_tests(const CheckDefinition& check, const TestSource& source, const CheckRunOptions& options,
                             Halt::Clock::duration patience = patience_with_estimates, double seconds = 0.5);

}  // namespace muster
