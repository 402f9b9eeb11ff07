#pragma once
// What the interposers know about the process they are in.

#include <string>
#include <vector>

namespace muster {

/// Libraries of the program that are neither instrumented nor part of the language or the system: what happens inside them is invisible.
std::vector<std::string> opaque_libraries();

}  // namespace muster
