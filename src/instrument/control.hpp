#pragma once
// What the interposers know about the process they are in.

#include <string>
#include <vector>

namespace muster {

/// Paths of loaded libraries that are neither instrumented nor part of the system: what happens inside them is invisible.
std::vector<std::string> opaque_libraries();

}  // namespace muster
