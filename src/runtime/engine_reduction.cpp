// The engine under partial-order reduction: a transition begins at each point, what it touches is told to the strategy, and loops that
// repeat themselves are given up.

#include <utility>

#include "runtime/engine.hpp"
#include "runtime/thread_set.hpp"
#include "runtime/user_state.hpp"

namespace muster {

/// Under reduction: whoever can step, the running thread first. What a step touches is told from here on.
void Engine::reduced_point() {
  Thread& t = *current_;
  Option options[max_threads];
  options[0] = t.id;
  const unsigned count = 1 + list(enabled() & ~bit(t.id), options + 1);
  const Option chosen = options[count == 1 ? 0 : decide(PointKind::thread, Cost::preemption, {options, count})];
  if (chosen != t.id) {
    leave_for(chosen);
  } else {
    begin_transition(t);
  }
}

void Engine::begin_transition(Thread& t) {
  if (!reducing_) return;
  const bool was_controlled = std::exchange(controlled, false);
  if (!strategy_->begin_transition(t.id)) end(Ending::abandoned);
  controlled = was_controlled;
  if (t.events == 0 && t.id != 0) access(objects::thread(t.id), 1, AccessMode::read, true);
}

/// Who waits at the end for something that another thread took.
void Engine::tell_waiting() {
  for (unsigned i = 0; i < thread_count_; ++i) {
    const Thread& t = threads_[i];
    if (t.status != Thread::Status::blocked) continue;
    if (t.outrun) strategy_->waits(t.id, {objects::wake_up(t.id), 1, AccessMode::read, false, false, false, false, true});
    const bool shared = t.blocked_as == EventKind::lock_shared;
    if (shared || t.blocked_as == EventKind::lock || t.blocked_as == EventKind::acquire_semaphore)
      strategy_->waits(t.id, {objects::queue(t.blocked_on), 1, shared ? AccessMode::commute : AccessMode::write, true, false,
                             t.blocked_as == EventKind::acquire_semaphore});
  }
}

/// Under reduction: a thread that reads what it read before, at the same place and with the same registers and stack, wrote nothing since
/// (its tracker says so) and will do the same again. The execution without this turn of its loop shows all that this one can: the thread
/// is given up. If nothing it reads is written any more, it spins for ever.
void Engine::look_for_repetition(SiteId site) {
  Thread& t = *current_;
  if (!t.spin.returns_to(site, user_state_hash(*t.context))) return;
  ++result_.loops_cut;
  t.status = Thread::Status::blocked;
  t.blocked_as = EventKind::yield;
  t.blocked_on = 0;
  ready_ &= ~bit(t.id);
  given_up_ |= bit(t.id);
  held_back_ |= bit(t.id);
  run_away(false);
}

}  // namespace muster
