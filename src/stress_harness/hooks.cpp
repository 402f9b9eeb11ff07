// What user code calls, where nothing is under control.

#include <random>

#include "check/stress_hooks.hpp"
#include "muster/synchronisation.hpp"

#define MUSTER_PUBLIC __attribute__((visibility("default")))

namespace muster {

MUSTER_PUBLIC unsigned choose(unsigned n) {
  // Every thread has its own numbers, the same in every run of the program as long as threads start in the same order.
  static thread_local std::minstd_rand random(stress_thread_number());
  return n <= 1 ? 0 : static_cast<unsigned>(random() % n);
}

MUSTER_PUBLIC Uncontrolled::Uncontrolled() noexcept {}
MUSTER_PUBLIC Uncontrolled::~Uncontrolled() {}

MUSTER_PUBLIC void signal_point(unsigned role) { stress_signal(role, false); }
MUSTER_PUBLIC void signal_back(unsigned role) { stress_signal(role, true); }

namespace detail {

MUSTER_PUBLIC void requirement_failed(const char* condition, const char* file, int line) noexcept {
  stress_requirement_failed(condition, file, line);
}

}  // namespace detail
}  // namespace muster
