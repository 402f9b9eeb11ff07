// The execution under reduction, where threads do something in vain: an attempt failed and left nothing behind, or a
// loop repeats itself. What comes of it is shown by other executions, so this one can do without.

#include <utility>

#include "runtime/engine.hpp"
#include "schedule/thread_set.hpp"

namespace muster {

/// A thread that did something others can notice is at its next point: whatever it reads from here on, it may read in
/// vain, unless it is on its own.
void ReducedExecution::begin_attempt(SiteId site) {
  Thread& t = *engine_.current_;
  if (!reported_ || t.attempt.begun()) return;
  t.attempt.begin_at(mix(t.attempt.observed(), site), weak_ || !is_on_its_own());
}

/// The running thread is about to write or to return. If it tried before, it may be where it would be without that:
/// then the execution without the failed attempt shows the same, and this one can do without the thread.
void ReducedExecution::look_for_retry(SiteId site, std::uint64_t answer) {
  Thread& t = *engine_.current_;
  if (!reported_ || !t.attempt.begun()) return;
  const std::size_t earlier = t.attempt.may_be_in_vain() ? t.attempt.earlier_tries() : 0;
  const Arrival arrival{site, t.attempt.start(), t.attempt.reads(), earlier};
  const bool repeated = engine_.position_ < engine_.replayed_;
  if (repeated && arrival.earlier == 0) return;
  if (!repeated) {
    const bool was_controlled = std::exchange(controlled, false);
    reducer_->arrives(arrival, [&] { return mix(mix(engine_.state_of(t), t.attempt.written_hash()), answer); });
    controlled = was_controlled;
    if (arrival.earlier == 0) return;
  }
  settle_retry();
}

/// The running thread is about to read. If an exchange failed since it read at this place before, and it is in the
/// state it was in then, and wrote nothing, what it does from here is what it would do had it never tried: another
/// execution shows that. Places are looked at closely once a loop came back to them.
void ReducedExecution::look_for_return(SiteId site) {
  RetryTracker& attempt = engine_.current_->attempt;
  if (!reported_ || !attempt.may_be_in_vain()) return;
  const RetryTracker::Head* const head = attempt.head(site);
  if (!head) {
    const OwnWork work;
    // What a thread reads while it is alone stays true, unless it is old: no exchange that relies on it fails.
    const bool may_come_back = (weak_ || !engine_.nobody_else_can_step()) && loop_heads_.contains(site);
    attempt.add_head(site, may_come_back ? state_at(site) : 0);
    return;
  }
  if (!attempt.failed_since(*head)) return;
  if (engine_.position_ >= engine_.replayed_) {
    const OwnWork work;
    heads_grew_ |= loop_heads_.insert(site);  // what was saved did not look at it closely
    reducer_->tries_again(head->state != 0 && attempt.wrote_nothing() && head->state == state_at(site));
  }
  settle_retry();
}

/// The state of the running thread follows from what it saw so far in this test; looking at registers and stack takes
/// longer.
std::uint64_t ReducedExecution::state_at(SiteId site) {
  return reducer_->state_after(mix(engine_.current_->attempt.observed(), site),
                               [&] { return engine_.state_of(*engine_.current_); });
}

/// Whether the running thread goes on after a failed attempt is a decision, so that replays agree. If it does not, all
/// that the others may do from here they may also do before its last transition: then this execution ends. But memory
/// that was touched only now may race with what they do after it: then they go on, and the thread is given up.
void ReducedExecution::settle_retry() {
  constexpr Option options[] = {0, 1};
  if (engine_.decide(PointKind::retry, Cost::free, options) == 0) return;
  ++engine_.result_.retries_cut;
  if (engine_.current_->attempt.looked_at_nothing_new()) engine_.end(Ending::abandoned);
  retried_ |= bit(engine_.current_->id);
  give_up(*engine_.current_);
}

/// Under reduction: a thread that reads what it read before, at the same place and with the same registers and stack,
/// wrote nothing since (its tracker says so) and will do the same again. The execution without this turn of its loop
/// shows all that this one can: the thread is given up. If nothing that it read in this turn was written since, it
/// spins for ever.
void ReducedExecution::look_for_repetition(SiteId site) {
  Thread& t = *engine_.current_;
  const SpinTracker::Round round =
      t.spin.comes_to(site, [&] { return engine_.state_of(t, Lens::this_loop_and_after); });
  if (round == SpinTracker::Round::remembered) {
    t.turn.clear();
    turning_ &= ~bit(t.id);
    overtaken_ &= ~bit(t.id);
  }
  if (round != SpinTracker::Round::closed || (t.spin.slept() && !sleeps_in_vain())) return;
  ++engine_.result_.loops_cut;
  give_up(t);
}

/// It is later after a turn that sleeps. If somebody looks at the clock, that is something new. A replay does not know
/// what the search knew: so this is a decision, unless nobody else is there.
bool ReducedExecution::sleeps_in_vain() {
  if (is_on_its_own()) return true;
  constexpr Option options[] = {0, 1};
  if (engine_.position_ >= engine_.replayed_) reducer_->tries_again(!engine_.racy_sites_.looks_at_clock());
  return engine_.decide(PointKind::retry, Cost::free, options) != 0;
}

void ReducedExecution::give_up(Thread& t) {
  t.status = Thread::Status::blocked;
  t.blocked_as = EventKind::yield;
  t.blocked_on = 0;
  engine_.ready_ &= ~bit(t.id);
  given_up_ |= bit(t.id);
  engine_.run_away();
}

}  // namespace muster
