#pragma once
// Counts the events of an execution for the strategy that follows a plan, and notes the accesses that the plan is about.

#include <array>

#include "instrument/tap.hpp"
#include "schedule/plan_strategy.hpp"

namespace muster {

/// What an execution showed of a plan. Lies in shared memory: the program may bring its process down.
struct Sighting {
  struct Access {
    std::uint64_t address, size;
    SiteId site;
    std::uint32_t order;  // among the accesses seen, from 1; 0: not seen
    bool write;
    ThreadId thread;
  };
  std::array<Access, 3> accesses{};
  std::uint32_t seen = 0;
  bool obstructed = false;
};

class Follower final : public tap::Listener {
 public:
  Follower(const Plan& plan, PlanStrategy& strategy, Sighting& sighting);

  void begin_execution() override;
  void approach(ThreadId thread, SiteId site) override;
  void access(ThreadId thread, std::uint64_t address, std::uint64_t size, tap::Kind kind, SiteId site) override;
  void event(ThreadId thread, tap::Kind kind, std::uint64_t object, SiteId site) override;

 private:
  struct Awaited {
    std::uint32_t thread;
    std::uint64_t event;
  };
  PlanStrategy& strategy_;
  Sighting& sighting_;
  std::vector<Awaited> awaited_;
};

}  // namespace muster
