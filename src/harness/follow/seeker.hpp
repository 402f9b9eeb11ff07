#pragma once
// Looks in an execution for what a plan is about by the places and objects of events, where their numbers have shifted:
// a loop runs fewer times in the new order, or a branch goes another way. Threads are led to their places one after the
// other, and held there while the next one is led to its own.

#include <map>
#include <utility>

#include "harness/follow/sought.hpp"

namespace muster {

class Seeker final : public tap::Listener, public Ranking {
 public:
  Seeker(const Plan& plan, const SeekManner& manner, SeekStrategy& strategy, PlanPlaces& places, Sighting& sighting,
         std::uint64_t memory);

  void begin_execution() override;
  void approach(ThreadId thread, SiteId site) override;
  void approach_lock(ThreadId thread, std::uint64_t lock, tap::Kind kind, SiteId site) override;
  void access(ThreadId thread, std::uint64_t address, std::uint64_t size, tap::Kind kind, SiteId site) override;
  void event(ThreadId thread, tap::Kind kind, std::uint64_t object, SiteId site) override;
  Rank rank(ThreadId thread) override;
  bool gives_up() override;

  const PlanThreads& threads() const { return threads_; }
  const Standing& standing() const { return standing_; }
  bool has_begun() const { return sought_->has_begun(); }

 private:
  void skip_finished_turns();
  bool is_over(const PlanTurn& turn, ThreadId thread) const;
  template <class Tell>
  void tell(Tell tell);

  const Plan& plan_;
  SeekStrategy& strategy_;
  PlanPlaces& places_;
  Sighting& sighting_;
  PlanThreads threads_;
  Standing standing_;
  SeekScene scene_;
  std::unique_ptr<Sought> sought_;
  std::size_t turns_ = 0;  // of the plan's, so many are followed first
  std::size_t turn_ = 0;
  std::map<std::pair<ThreadId, std::string>, unsigned> events_at_;  // that are no accesses
  unsigned decisions_since_ = 0;                                    // it was found
};

}  // namespace muster
