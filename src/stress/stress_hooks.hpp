#pragma once
// What user code reaches through Muster's functions while it runs on real threads. Apart from the rest, so that the
// headers of checks can stand beside it.

#include <cstdint>

namespace muster {

/// A signal point that the calling thread passes; nothing if it takes part in no run.
void stress_signal(unsigned role, bool back);

/// For MUSTER_REQUIRE: tells the process that made this one, if any, and ends.
[[noreturn]] void stress_requirement_failed(const char* condition, const char* file, int line) noexcept;

/// For muster::choose: a number below `n`. Every thread has numbers of its own, the same in every run of the program as
/// long as threads ask for the first time in the same order.
unsigned stress_choose(unsigned n);
void seed_stress_choices(std::uint64_t seed);

}  // namespace muster
