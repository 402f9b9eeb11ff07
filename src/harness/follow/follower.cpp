#include "harness/follow/follower.hpp"

#include "instrument/outer_site.hpp"
#include "runtime/engine.hpp"

namespace muster {

Follower::Follower(const Plan& plan, PlanStrategy& strategy, Sighting& sighting)
    : strategy_(strategy), sighting_(sighting), standing_(plan.whole_threads) {
  for (const PlanAccess& access : plan.accesses) {
    if (awaited_.size() < sighting.accesses.size())
      awaited_.push_back({strategy.threads().number_of(access.thread), access.event});
  }
}

void Follower::begin_execution() {
  sighting_ = {};
  standing_.begin_execution();
}

void Follower::approach(ThreadId thread, SiteId site) {
  if (strategy_.stands_at_end_of_turn(thread)) engine->want_point(site);
}

void Follower::approach_lock(ThreadId thread, std::uint64_t, tap::Kind, SiteId site) {
  standing_.approach_lock(thread, tap::outer_site(site));
}

void Follower::access(ThreadId thread, std::uint64_t address, std::uint64_t size, tap::Kind kind, SiteId site) {
  const std::uint32_t number = strategy_.executed(thread);
  for (std::size_t i = 0; i < awaited_.size(); ++i) {
    if (awaited_[i].event != number || strategy_.threads().planned(thread) != awaited_[i].thread) continue;
    sighting_.note(i, seen_access(standing_, thread, address, size, kind, site));
  }
}

void Follower::event(ThreadId thread, tap::Kind kind, std::uint64_t object, SiteId site) {
  if (kind == tap::Kind::fork) strategy_.forked(thread, static_cast<ThreadId>(object));
  standing_.event(thread, kind, object, tap::outer_site(site));
  strategy_.executed(thread);
}

Sighting::Access seen_access(const Standing& standing, ThreadId thread, std::uint64_t address, std::uint64_t size,
                             tap::Kind kind, SiteId site) {
  return {.address = address,
          .size = size,
          .site = site,
          .place = trace::is_plain(kind) ? site : tap::outer_site(site),
          .order = 0,
          .transaction = standing.transaction(thread),
          .write = is_write(kind),
          .thread = thread};
}

}  // namespace muster
