#pragma once
// Flags that say something about checks, or about scenarios, only.

#include <vector>

#include "harness/options/options.hpp"
#include "rule/registry.hpp"
#include "rule/test.hpp"

namespace muster {

/// Throws Error for a flag that applies to nothing of what was chosen: it would be passed over in silence. One that
/// applies to some of it is right, so that one command line can be for all of a program.
void require_applicable(const HarnessOptions& options, const std::vector<const Scenario*>& scenarios,
                        const std::vector<const CheckDefinition*>& checks);

}  // namespace muster
