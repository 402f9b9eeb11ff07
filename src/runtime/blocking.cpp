#include "runtime/blocking.hpp"

#include <bit>

#include "runtime/engine.hpp"
#include "schedule/thread_set.hpp"

namespace muster {

void Blocking::arrive(EventKind kind, ObjectId object, SiteId site) { engine_.step(kind, object, site); }

void Blocking::wake_joiners(Thread& t) {
  if (awaited_ & bit(t.id)) {
    awaited_ &= ~bit(t.id);
    if (awaited_ == 0) t.joiners |= bit(0);
  }
  // What a joiner does up to its next visible event concerns nobody: it does it now, and that event is where the choice
  // is.
  if (std::has_single_bit(t.joiners) && !engine_.reduction_.reducing()) {
    const auto joiner = static_cast<ThreadId>(std::countr_zero(t.joiners));
    unblock(joiner);
    if (engine_.threads_[joiner].status == Thread::Status::ready) {
      engine_.threads_[joiner].woken = true;
      engine_.leave_for(joiner);
    }
  }
  for (std::uint64_t mask = t.joiners; mask; mask &= mask - 1) unblock(static_cast<ThreadId>(std::countr_zero(mask)));
}

void Blocking::look_whether_alone() {
  if (!std::has_single_bit(engine_.alive_)) return;
  for (unsigned i = 0; i < engine_.thread_count_; ++i) {
    if (!engine_.races_.has_seen(static_cast<ThreadId>(i))) return;
  }
  engine_.races_.be_alone();
}

void Blocking::join_all() {
  if (awaited_ == 0) engine_.reduction_.begin_another();
  engine_.reduction_.touches({.object = objects::free_switch});
  while (awaited_ != 0) block(EventKind::join, 0);
  for (Thread* t = engine_.threads_ + 1; t != engine_.threads_ + engine_.thread_count_; ++t) {
    if (t->internal) continue;
    engine_.reduction_.touches({.object = objects::thread(t->id), .blocking = true});
    joined_ |= bit(t->id);
    engine_.races_.join(t->id);
  }
  if (engine_.internal_ == 0) {
    engine_.races_.be_alone();  // nobody else was there
  } else {
    look_whether_alone();
  }
}

bool Blocking::block(EventKind why, ObjectId on, const std::uint64_t* deadline) {
  Thread& t = *engine_.current_;
  t.woken = false;
  t.status = Thread::Status::blocked;
  t.blocked_on = on;
  t.blocked_as = why;
  t.expired = t.outrun = false;
  t.timed = deadline != nullptr;
  engine_.ready_ &= ~bit(t.id);
  if (deadline) {
    t.deadline = *deadline;
    engine_.timed_ |= bit(t.id);
    engine_.time_.decides();
  } else if (engine_.pending_ != 0) {
    engine_.look_for_blocked_operations();
  }
  if (engine_.watch_events_) engine_.observer_->blocked(t.id, why, on);
  engine_.run_away();
  t.timed = false;
  if (engine_.watch_events_) engine_.tell_executed();
  return !t.expired;
}

void Blocking::unblock(ThreadId id) {
  Thread& t = engine_.threads_[id];
  if (t.status != Thread::Status::blocked) return;
  ++t.unblocked;
  t.status = Thread::Status::ready;
  engine_.timed_ &= ~bit(id);
  engine_.ready_ |= bit(id);
}

void Blocking::block_instead(ThreadId id, EventKind why, ObjectId on) {
  Thread& t = engine_.threads_[id];
  t.blocked_as = why;
  t.blocked_on = on;
  t.outrun = t.timed;
  t.timed = false;
  engine_.timed_ &= ~bit(id);
}

void Blocking::reblock(ThreadId id) {
  Thread& t = engine_.threads_[id];
  if (t.status != Thread::Status::ready) return;
  t.status = Thread::Status::blocked;
  engine_.ready_ &= ~bit(id);
  engine_.held_back_ &= ~bit(id);
  if (t.timed) engine_.timed_ |= bit(id);
}

}  // namespace muster
