#pragma once
// What user code reaches through Muster's functions while it runs on real threads. Apart from the rest, so that the
// headers of checks can stand beside it.

namespace muster {

/// A signal point that the calling thread passes; nothing if it takes part in no run.
void stress_signal(unsigned role, bool back);

/// For MUSTER_REQUIRE: tells the process that made this one, if any, and ends.
[[noreturn]] void stress_requirement_failed(const char* condition, const char* file, int line) noexcept;

/// How many threads have asked before.
unsigned stress_thread_number();

}  // namespace muster
