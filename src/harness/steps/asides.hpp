#pragma once
// Of the plain accesses that a replay was told of beside its points, those that a reader wants to see.

#include <vector>

#include "harness/steps/tracer.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

/// Keeps the last accesses to what several threads share and somebody changed, as far as the program makes them itself:
/// what stands under a lock, such as the predicate of a wait. Returns of operations are told where they were seen last.
void settle(std::vector<TracedEvent>& events, Symbolizer& symbolizer);

}  // namespace muster
