#pragma once
// Where the sequences of randomness.cpp stand: each execution begins them anew, and they go back with it.

#include <cstdint>

#include "base/tape.hpp"

namespace muster {

void begin_randomness();
void pass_randomness(Tape& tape);
std::uint64_t randomness_hash();

}  // namespace muster
