// Threads that make the same calls. Whatever they do, under some naming of them their debuts come in the order of their
// numbers: the first event of each that may change something, or its end. So under symmetry a thread waits with its
// debut for that of the one before it. To reduction this is a program like any other, in which threads wait for each
// other; what is left out of it are other names.

#include "runtime/engine.hpp"
#include "schedule/thread_set.hpp"

namespace muster {
namespace {

/// Whether an event is a debut, if none came before. No such event ever waits for anything, so a thread that waits with
/// it could go on under another name: it is not stuck.
bool is_debut(EventKind kind) {
  switch (kind) {
    case EventKind::store:
    case EventKind::write:
    case EventKind::rmw:
    case EventKind::unlock:
    case EventKind::unlock_shared:
    case EventKind::try_lock:
    case EventKind::try_lock_shared:
    case EventKind::notify_one:
    case EventKind::notify_all:
    case EventKind::futex_wake:
    case EventKind::release_semaphore:
    case EventKind::finish:
      return true;
    default:
      return false;
  }
}

}  // namespace

/// The running thread, which has others alike, is about to make this event. True if it was a debut to wait with: then
/// the event is a transition of its own, and has begun.
bool ReducedExecution::comes_to_debut(EventKind kind) {
  Thread& t = *engine_.current_;
  if ((known_ & bit(t.id)) || t.makes_debut || !is_debut(kind)) return false;
  const ThreadId before = t.comes_after;
  if (before != t.id) {
    if (known_ & bit(before)) {
      begin_another();
    } else {
      t.status = Thread::Status::blocked;
      t.blocked_as = kind;
      t.blocked_on = 0;
      t.expired = t.outrun = t.timed = false;
      engine_.ready_ &= ~bit(t.id);
      debutants_ |= bit(t.id);
      engine_.run_away();
    }
    const OwnWork work;
    reducer_->accessed({.object = objects::debut(before), .blocking = true});
    // What is older is forced by this order as by any other.
    if (weak_) engine_.weak_memory_.touch(objects::debut(before), 1, true);
  }
  t.makes_debut = true;
  return before != t.id;
}

/// The running thread touches something in the event that is its debut: the next one alike may follow.
void ReducedExecution::makes_debut() {
  const ThreadId id = engine_.current_->id;
  engine_.current_->makes_debut = false;
  known_ |= bit(id);
  reducer_->accessed({.object = objects::debut(id), .mode = AccessMode::write, .enabling = true});
  if (weak_) engine_.weak_memory_.touch(objects::debut(id), 1, false);
  for (std::uint64_t mask = debutants_; mask; mask &= mask - 1) {
    const auto next = static_cast<ThreadId>(std::countr_zero(mask));
    if (engine_.threads_[next].comes_after != id) continue;
    debutants_ &= ~bit(next);
    engine_.blocking_.unblock(next);
  }
}

}  // namespace muster
