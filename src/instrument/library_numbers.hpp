#pragma once
// Where the sequences of library_numbers.cpp stand: each execution begins them anew, and they go back with it.

#include <cstdint>

#include "base/event.hpp"
#include "base/tape.hpp"

namespace muster {

void forget_library_numbers();
void pass_library_numbers(Tape& tape);
/// How far a thread is in its sequences.
std::uint64_t library_numbers_hash(ThreadId thread);

}  // namespace muster
