#pragma once
// Runs one scenario: explores it, replays what was found to see how it happened, and tells it as a result.

#include "finding/finding.hpp"
#include "harness/options/options.hpp"
#include "harness/run/checkpoint_file.hpp"
#include "rule/registry.hpp"
#include "runtime/program.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

Program program_of(const Scenario& scenario);

/// Whether the user asked not to hear of this race.
bool suppressed(const Incident& incident, const HarnessOptions& options, Symbolizer& symbolizer);

/// Goes on from `rest`, if there is something in it, and leaves there what is still to do.
Result run_scenario(const Scenario& scenario, const HarnessOptions& options, Symbolizer& symbolizer,
                    ProgramCheckpoint* rest = nullptr);

/// Runs one schedule again, in a process of its own or (for debuggers) in this one, with the user's output shown.
Result replay_scenario(const Scenario& scenario, const HarnessOptions& options, const std::vector<Decision>& schedule,
                       const std::vector<std::string>& racy_sites, Symbolizer& symbolizer, bool in_this_process,
                       bool silent = false);

}  // namespace muster
