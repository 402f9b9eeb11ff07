#include "harness/follow/seeker.hpp"

#include <algorithm>

#include "harness/follow/follower.hpp"
#include "instrument/outer_site.hpp"
#include "runtime/engine.hpp"

namespace muster {
namespace {

// Threads that wait for each other's locks do so at once; others may go on for ever.
constexpr unsigned most_decisions_since = 20'000;

/// The turns before those that the plan is about.
std::size_t turns_to_follow(const Plan& plan) {
  const auto is_about = [&](const PlanTurn& turn) {
    if (plan.waits.empty()) return turn.thread == plan.accesses[0].thread && turn.events > plan.accesses[0].event;
    return std::ranges::any_of(
        plan.waits, [&](const PlanWait& wait) { return turn.thread == wait.thread && turn.events == wait.event; });
  };
  return static_cast<std::size_t>(std::ranges::find_if(plan.turns, is_about) - plan.turns.begin());
}

}  // namespace

Seeker::Seeker(const Plan& plan, const SeekManner& manner, SeekStrategy& strategy, PlanPlaces& places,
               Sighting& sighting, std::uint64_t memory)
    : plan_(plan),
      strategy_(strategy),
      places_(places),
      sighting_(sighting),
      threads_(plan),
      standing_(plan.whole_threads),
      scene_{plan, manner, threads_, standing_, memory},
      turns_(manner.along_plan ? turns_to_follow(plan) : 0) {
  strategy.set_ranking(*this);
}

void Seeker::begin_execution() {
  const OwnWork work;
  sighting_ = {};
  threads_.begin_execution();
  standing_.begin_execution();
  sought_ = plan_.waits.empty() ? seek_accesses(scene_, sighting_) : seek_circle(scene_);
  turn_ = 0;
  events_at_.clear();
  decisions_since_ = 0;
  strategy_.refresh();
}

/// Plain accesses are points where somebody else had better go on.
void Seeker::approach(ThreadId thread, SiteId site) {
  for (unsigned i = 0; i < engine->thread_count(); ++i) {
    const auto other = static_cast<ThreadId>(i);
    if (other != thread && engine->can_step(other) && strategy_.prefers(other, thread)) engine->want_point(site);
  }
}

/// Whoever gets somewhere may let others wait for longer.
template <class Tell>
void Seeker::tell(Tell tell) {
  const OwnWork work;
  const unsigned stage = sought_->stage();
  tell(*sought_);
  if (sought_->stage() != stage) strategy_.refresh();
}

void Seeker::approach_lock(ThreadId thread, std::uint64_t lock, tap::Kind kind, SiteId site) {
  const SiteId place = tap::outer_site(site);
  standing_.approach_lock(thread, place);
  tell([&](Sought& sought) { sought.about_to_lock(thread, lock, is_shared(kind), places_.name(place)); });
}

void Seeker::access(ThreadId thread, std::uint64_t address, std::uint64_t size, tap::Kind kind, SiteId site) {
  const Sighting::Access access = seen_access(standing_, thread, address, size, kind, site);
  tell([&](Sought& sought) { sought.saw_access(access, places_.name(access.place)); });
}

void Seeker::event(ThreadId thread, tap::Kind kind, std::uint64_t object, SiteId site) {
  const SiteId place = tap::outer_site(site);
  standing_.event(thread, kind, object, place);
  tell([&](Sought& sought) {
    if (kind == tap::Kind::fork) threads_.forked_at(thread, places_.name(place), static_cast<ThreadId>(object));
    ++events_at_[{thread, places_.name(place)}];
    sought.saw_event(thread, kind, object);
  });
  skip_finished_turns();
}

bool Seeker::is_over(const PlanTurn& turn, ThreadId thread) const {
  const auto events = events_at_.find({thread, turn.location});
  return !turn.location.empty() && events != events_at_.end() && events->second >= turn.nth;
}

/// A turn ends where the plan says, or where its thread cannot go on.
void Seeker::skip_finished_turns() {
  const OwnWork work;
  for (; turn_ < turns_; ++turn_) {
    const PlanTurn& turn = plan_.turns[turn_];
    const ThreadId thread = threads_.model(threads_.number_of(turn.thread));
    if (thread == no_thread) return;
    if (engine->can_step(thread) && !is_over(turn, thread)) return;
    strategy_.refresh();
  }
}

Rank Seeker::rank(ThreadId thread) {
  const bool asleep = engine->thread(thread).status == Thread::Status::blocked;  // until a deadline
  if (turn_ == turns_ || sought_->has_begun())
    return asleep ? std::max(sought_->rank(thread), Rank::later) : sought_->rank(thread);
  const ThreadId leader = threads_.model(threads_.number_of(plan_.turns[turn_].thread));
  return asleep ? Rank::later : thread == leader ? Rank::first : Rank::usual;
}

bool Seeker::gives_up() {
  skip_finished_turns();
  if (sought_->is_lost()) return true;
  return sought_->is_found() && !plan_.waits.empty() && ++decisions_since_ > most_decisions_since;
}

}  // namespace muster
