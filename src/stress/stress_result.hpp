#pragma once
// Checks and scenarios on real threads, told as results.

#include "finding/finding.hpp"
#include "rule/registry.hpp"
#include "stress/stress_check.hpp"

namespace muster {

Result stress_check(const CheckDefinition& check, const TestChoice& choice, const StressCheckOptions& options);

/// Runs the scenario so many times, in a process of its own.
Result stress_scenario(const Scenario& scenario, std::uint64_t runs, const StressCheckOptions& options);

/// "channel: 1,200 runs, 400 a second, 12 of 100 tests, no finding yet".
std::string describe(const StressProgress& progress, const std::string& name, double seconds);

}  // namespace muster
