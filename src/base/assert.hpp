#pragma once
// A broken invariant of Muster itself stops the process. `on_broken_invariant` lets the runtime add the schedule so
// far.

namespace muster {

/// Called with nothing once an invariant is broken, before the process aborts; prints what helps to reproduce it.
extern void (*on_broken_invariant)();

[[noreturn]] void broken_invariant(const char* condition, const char* file, int line) noexcept;

}  // namespace muster

#define MUSTER_ASSERT(condition)                              \
  (__builtin_expect(static_cast<bool>(condition), 1) ? void() \
                                                     : ::muster::broken_invariant(#condition, __FILE__, __LINE__))
