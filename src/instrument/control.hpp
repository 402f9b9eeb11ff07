#pragma once
// What the interposers know about the process they are in.

#include <cstdint>
#include <string>
#include <vector>

namespace muster {

/// While user code runs uncontrolled inside an execution: whether what it does leaves something behind.
struct UncontrolledPart {
  bool under_way = false;
  std::uintptr_t blocks = 0;  // of the real heap: addresses taken less addresses given back
};
extern UncontrolledPart uncontrolled_part;

/// Whether an opaque library keeps blocks of the real heap that it got in the warm-up: what it does to them is not
/// seen.
bool opaque_blocks_last();

/// The program has operators `new` or `delete` of its own: what frees a block need not be the counterpart of what
/// allocated it.
void let_any_free();

/// Libraries of the program that are neither instrumented nor part of the language or the system: what happens inside
/// them is invisible.
std::vector<std::string> opaque_libraries();

/// Whether such a library is loaded whose code the program may call past all stubs.
bool calls_may_escape();

/// What the program allocates with besides Muster's test heap. Throws Error if it brings its own malloc: then nothing
/// could be rewound.
std::vector<std::string> foreign_allocators();

}  // namespace muster
