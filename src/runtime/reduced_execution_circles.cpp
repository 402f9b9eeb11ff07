// The engine under reduction, where an execution seems to go on for ever: it is then run on as in a plain search, and
// only what that comes to counts.

#include <bit>
#include <utility>

#include "runtime/engine.hpp"
#include "schedule/thread_set.hpp"

namespace muster {

/// Once an execution is suspicious, releases of locks are looked at, too: a circle has several states at which it may
/// be noticed, and an execution that leaves it at each of them a little later would be a long one. Not where a thread
/// is on its own: nothing may be reported there any more, except in a replay.
void ReducedExecution::look_for_circle_at_release() {
  if (engine_.seen_states_.empty() || engine_.current_->writes_at_lock != engine_.writes_ || is_on_its_own()) return;
  look_for_circle();
}

/// A loop that takes a lock in each turn does something that others can notice, so no turn of it is like none. But if
/// nothing was written since the thread last came to a lock, all may be as it was some turns ago: then whatever the
/// threads may do from here they could have done from there. Nothing at all may have been written since, as variables
/// of one thread may lie on the stack of another, which the state does not tell of.
void ReducedExecution::look_for_circle() {
  if (runs_on_ != RunsOn::no || std::exchange(engine_.current_->writes_at_lock, engine_.writes_) != engine_.writes_)
    return;
  engine_.take_state(*engine_.current_);
  const std::uint64_t state = engine_.state_hash();
  for (const Engine::SeenState& seen : engine_.seen_states_) {
    if (seen.hash != state || seen.writes != engine_.writes_) continue;
    constexpr Option options[] = {0, 1};
    if (engine_.position_ >= engine_.replayed_) reducer_->comes_round(seen.transitions);
    if (engine_.decide(PointKind::retry, Cost::free, options) == 0) return;
    ++engine_.result_.loops_cut;
    return run_on(RunsOn::circle);
  }
  engine_.remember(state);
}

/// From here on each thread runs until it waits for another one, and nothing is reported to the reducer.
void ReducedExecution::run_on(RunsOn why) {
  runs_on_ = why;
  answered_since_ = false;
  reported_ = reducing_ = false;
  engine_.takes_first_ = true;
  engine_.is_plain_ = !engine_.watch_events_;
  engine_.going_back_.stop_saving();
  engine_.step_limit_ = engine_.options_.step_limit;
  for (std::uint64_t mask = std::exchange(given_up_, 0); mask; mask &= mask - 1)
    engine_.blocking_.unblock(static_cast<ThreadId>(std::countr_zero(mask)));
}

/// Threads that were given up must repeat themselves for ever, or whoever gave them up was wrong. Who leaves a circle,
/// or answers, does what the search explores without the circle.
Ending ReducedExecution::end_of_run_on(Ending ending) {
  if (ending == Ending::incident || ending == Ending::abandoned) return ending;
  if (ending == Ending::stuck && !answered_since_) return ending;
  if (ending != Ending::cut && runs_on_ == RunsOn::circle) return Ending::abandoned;
  Incident unsettled{.kind = IncidentKind::limit, .place = {}, .earlier = {}};
  unsettled.say("threads that seemed to repeat the same steps for ever did something else when they were run on");
  engine_.incident(unsettled);
  return Ending::incident;
}

}  // namespace muster
