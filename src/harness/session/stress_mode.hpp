#pragma once
// `--stress` of a program that could be controlled.

#include <vector>

#include "harness/session/output.hpp"
#include "rule/registry.hpp"

namespace muster {

/// Runs the checks and scenarios on real threads.
ExitCode run_stress(const std::vector<const Scenario*>& scenarios, const std::vector<const CheckDefinition*>& checks,
                    const HarnessOptions& options, Output& output);

}  // namespace muster
