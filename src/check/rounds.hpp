#pragma once
// The tests of a portfolio in rounds: of all of them first what is drawn, then all schedules without preemptions, with
// one at most, and so on. So a failure of the last test that few preemptions show does not wait for the larger bounds
// of those before it.

#include <functional>

#include "check/run.hpp"

namespace muster {

/// What is drawn in each of so many tests, those of all shards.
PortfolioShares shares_of_each(const CheckDefinition& check, std::uint64_t tests);

/// Whether there is more than one test to go round, and what is found may be found in any order.
bool goes_in_rounds(const CheckDefinition& check, const TestSource& source, const CheckRunOptions& options);

/// `run` searches all tests of a source.
using RunTests = std::function<CheckRun(const TestSource&, const CheckRunOptions&)>;
CheckRun run_in_rounds(const CheckDefinition& check, const TestSource& source, const CheckRunOptions& options,
                       const RunTests& run);

}  // namespace muster
