#pragma once
// What the interposers know about the process they are in.

#include <string>
#include <vector>

namespace muster {

/// Libraries of the program that are neither instrumented nor part of the language or the system: what happens inside them is invisible.
std::vector<std::string> opaque_libraries();

/// What the program allocates with besides Muster's test heap. Throws Error if it brings its own malloc: then nothing could be rewound.
std::vector<std::string> foreign_allocators();

}  // namespace muster
