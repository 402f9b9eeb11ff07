#pragma once
// What is known of the code that events come from, while they are recorded or followed.

#include "symbols/symbolizer.hpp"

namespace muster {

/// Never destroyed: threads that outlive the program's statics may still make events. Asked by one thread at a time.
Symbolizer& symbolizer_of_events();

/// From now on events of locks, threads and atomics are told at the program's lines, not in headers of the system.
void tell_events_outside_headers();

}  // namespace muster
