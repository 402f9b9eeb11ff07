// Choices and signal points, as user code calls them.

#include "instrument/tap.hpp"
#include "muster/synchronisation.hpp"
#include "runtime/engine.hpp"
#include "stress/stress_hooks.hpp"

namespace muster {
namespace {

void tell(unsigned role, bool back) {
  if (!controlled) return stress_signal(role, back);
  const std::byte bytes[] = {static_cast<std::byte>(role), static_cast<std::byte>(back)};
  engine->mark(0, Mark::signal, bytes);
}

}  // namespace

__attribute__((visibility("default"))) unsigned choose(unsigned n) {
  if (controlled) return engine->choose(PointKind::value, n);
  return tap::on ? 0 : stress_choose(n);  // a recorded run is re-executed, and takes the first there
}

__attribute__((visibility("default"))) void signal_point(unsigned role) { tell(role, false); }
__attribute__((visibility("default"))) void signal_back(unsigned role) { tell(role, true); }

}  // namespace muster
