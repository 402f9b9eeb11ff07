#pragma once
// What it means that a worker's process ended in an execution, or had to be killed there.

#include "base/incident.hpp"
#include "runtime/engine.hpp"

namespace muster {

/// `signal` ended the process that wrote `journal`. Whether that is a finding, the kind of the incident says.
Incident incident_of_death(const Journal& journal, int signal);

/// Nothing was done for so long, and nobody knows whether anything would have been.
Incident incident_of_hang(const Journal& journal, double seconds);

}  // namespace muster
