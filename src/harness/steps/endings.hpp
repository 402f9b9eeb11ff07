#pragma once
// Endings of a scenario's execution that are findings although nobody raised them: deadlock, livelock, a leak, the step
// limit.

#include <vector>

#include "runtime/engine.hpp"

namespace muster {

void append_ending(const Execution& execution, const Schedule& schedule, Engine& engine, bool leaks,
                   std::vector<Incident>& incidents);

}  // namespace muster
