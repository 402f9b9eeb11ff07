#pragma once
// Runs one scenario: explores it, replays what was found to see how it happened, and tells it as a result.

#include "finding/finding.hpp"
#include "harness/incident_task.hpp"
#include "harness/options.hpp"
#include "harness/registry.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

Result run_scenario(const Scenario& scenario, const HarnessOptions& options, Symbolizer& symbolizer);

/// Runs one schedule again, in a process of its own or (for debuggers) in this one, with the user's output shown.
Result replay_scenario(const Scenario& scenario, const HarnessOptions& options, const std::vector<Decision>& schedule,
                       const std::vector<std::string>& racy_sites, Symbolizer& symbolizer, bool in_this_process, bool silent = false);

}  // namespace muster
