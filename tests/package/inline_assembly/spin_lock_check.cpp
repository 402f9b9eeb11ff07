#include <muster/scenario.hpp>

#include "spin_lock.hpp"

MUSTER_SCENARIO(spin_lock) {
  app::SpinLock lock;
  MUSTER_REQUIRE(lock.try_lock());
}
