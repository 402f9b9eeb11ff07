#include "harness/follower.hpp"

#include "runtime/engine.hpp"

namespace muster {

Follower::Follower(const Plan& plan, PlanStrategy& strategy, Sighting& sighting) : strategy_(strategy), sighting_(sighting) {
  for (const PlanAccess& access : plan.accesses) {
    if (awaited_.size() < sighting.accesses.size()) awaited_.push_back({strategy.number_of(access.thread), access.event});
  }
}

void Follower::begin_execution() { sighting_ = {}; }

void Follower::approach(ThreadId thread, SiteId site) {
  if (strategy_.stands_at_end_of_turn(thread)) engine->want_point(site);
}

void Follower::access(ThreadId thread, std::uint64_t address, std::uint64_t size, tap::Kind kind, SiteId site) {
  const std::uint32_t number = strategy_.executed(thread);
  for (std::size_t i = 0; i < awaited_.size(); ++i) {
    if (awaited_[i].event != number || strategy_.planned(thread) != awaited_[i].thread) continue;
    sighting_.accesses[i] = {address, size, site, ++sighting_.seen, is_write(kind), thread};
  }
  sighting_.obstructed = strategy_.obstructed();
}

void Follower::event(ThreadId thread, tap::Kind kind, std::uint64_t object, SiteId) {
  if (kind == tap::Kind::fork) strategy_.forked(thread, static_cast<ThreadId>(object));
  strategy_.executed(thread);
}

}  // namespace muster
