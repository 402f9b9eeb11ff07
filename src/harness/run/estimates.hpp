#pragma once
// What a search would take, without searching.

#include <string>

#include "harness/options/options.hpp"
#include "rule/registry.hpp"

namespace muster {

/// "queue: about 2,300 executions", a line of its own.
std::string estimate_line(const Scenario& scenario, const HarnessOptions& options);
/// "queue: about 230,000 executions for 100 random tests of 3x3".
std::string estimate_line(const CheckDefinition& check, const HarnessOptions& options);

}  // namespace muster
