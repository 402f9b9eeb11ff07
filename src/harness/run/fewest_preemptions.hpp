#pragma once
// What a drawn execution shows usually takes fewer preemptions than that execution has.

#include "harness/options/options.hpp"
#include "harness/run/incident_task.hpp"

namespace muster {

/// The same incident in an execution with as few preemptions as any, if that is found soon; else the report as it is.
/// What a search with growing bounds has found has as few already.
IncidentReport with_fewest_preemptions(const Program& program, IncidentReport report, const HarnessOptions& options);

}  // namespace muster
