#pragma once
// Where the sequences of randomness.cpp stand: each execution begins them anew, and they go back with it.

#include <cstdint>

#include "base/event.hpp"
#include "base/tape.hpp"

namespace muster {

void forget_randomness();
void pass_randomness(Tape& tape);
/// How far a thread is in its sequence.
std::uint64_t randomness_hash(ThreadId thread);

}  // namespace muster
