// What user code calls, where nothing is under control.

#include "muster/describe.hpp"
#include "muster/synchronisation.hpp"
#include "stress/stress_hooks.hpp"

#define MUSTER_PUBLIC __attribute__((visibility("default")))

namespace muster {

MUSTER_PUBLIC unsigned choose(unsigned n) { return stress_choose(n); }

MUSTER_PUBLIC Uncontrolled::Uncontrolled() noexcept {}
MUSTER_PUBLIC Uncontrolled::~Uncontrolled() {}

MUSTER_PUBLIC void signal_point(unsigned role) { stress_signal(role, false); }
MUSTER_PUBLIC void signal_back(unsigned role) { stress_signal(role, true); }

namespace detail {

MUSTER_PUBLIC DescriptionRegistration::DescriptionRegistration(const char*, const char*, int) noexcept {}

MUSTER_PUBLIC void requirement_failed(const char* condition, const char* file, int line) noexcept {
  stress_requirement_failed(condition, file, line);
}

}  // namespace detail
}  // namespace muster
