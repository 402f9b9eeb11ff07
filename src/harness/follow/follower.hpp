#pragma once
// Counts the events of an execution for the strategy that follows a plan, and notes what the plan is about.

#include <vector>

#include "harness/follow/sighting.hpp"
#include "harness/follow/standing.hpp"
#include "schedule/plan_strategy.hpp"

namespace muster {

class Follower final : public tap::Listener {
 public:
  Follower(const Plan& plan, PlanStrategy& strategy, Sighting& sighting);

  void begin_execution() override;
  void approach(ThreadId thread, SiteId site) override;
  void approach_lock(ThreadId thread, std::uint64_t lock, tap::Kind kind, SiteId site) override;
  void access(ThreadId thread, std::uint64_t address, std::uint64_t size, tap::Kind kind, SiteId site) override;
  void event(ThreadId thread, tap::Kind kind, std::uint64_t object, SiteId site) override;

  const Standing& standing() const { return standing_; }

 private:
  struct Awaited {
    std::uint32_t thread;
    std::uint64_t event;
  };
  PlanStrategy& strategy_;
  Sighting& sighting_;
  Standing standing_;
  std::vector<Awaited> awaited_;
};

/// What is noted of an access that happens now.
Sighting::Access seen_access(const Standing& standing, ThreadId thread, std::uint64_t address, std::uint64_t size,
                             tap::Kind kind, SiteId site);

}  // namespace muster
