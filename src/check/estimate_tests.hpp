#pragma once
// How many executions the tests of a check would take, before they are run.

#include "check/run.hpp"

namespace muster {

/// In a worker, for about a fifth of a second: a few tests stand for all. 0 if nothing can be said.
double estimate_tests(const CheckDefinition& check, const TestSource& source, const CheckRunOptions& options);

}  // namespace muster
