#pragma once
// What it means that a worker's process ended in an execution, or had to be killed there.

#include "base/incident.hpp"
#include "base/supervisor.hpp"
#include "runtime/execution.hpp"

namespace muster {

/// Of the process that wrote `journal`. Whether it is a finding, the kind of the incident says: of one that did nothing
/// for so many seconds nobody knows whether it would have.
Incident incident_of(const ProcessEnd& end, const Journal& journal, double hang_seconds);

}  // namespace muster
