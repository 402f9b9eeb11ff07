#include "reduction/replay_strategy.hpp"

/// Where a debugger stops before the first step of a replayed schedule: `break muster_replay_begins`.
extern "C" [[gnu::visibility("default"), gnu::noinline]] void muster_replay_begins() { asm volatile(""); }

namespace muster {

bool ReplayStrategy::begin_execution(Schedule& schedule) {
  if (std::exchange(done_, true)) return false;
  schedule.assign(decisions_);
  muster_replay_begins();
  return true;
}

}  // namespace muster
