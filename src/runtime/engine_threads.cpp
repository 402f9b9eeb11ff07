// The engine's threads: how they start, leave each other the processor, block, and end.

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "runtime/engine.hpp"
#include "runtime/exceptions.hpp"
#include "runtime/sync.hpp"
#include "schedule/thread_set.hpp"

namespace muster {
void Engine::expire(Thread& t) {
  timed_ &= ~bit(t.id);
  ready_ |= bit(t.id);
  t.status = Thread::Status::ready;
  t.expired = true;
  result_.expired = true;
  if (watch_events_) strategy_->executed({.thread = t.id, .kind = EventKind::expire});
  advance_clock_to(t.deadline);
}

Thread& Engine::spawn(void* (*start)(void*), void* argument, SiteId site) {
  if (thread_count_ == max_threads) {
    fatal(IncidentKind::limit, site,
          fmt::format("an execution may have at most {} threads, a fixed limit", max_threads));
  }
  if (reducing_ && !told_) [[unlikely]]
    start_late();
  if (current_ && steps_ != current_->events) transition_point();  // somebody else has stepped
  const auto id = static_cast<ThreadId>(thread_count_++);
  if (current_) {
    access(objects::thread_ids, 1, AccessMode::write);
    access(objects::thread(id), 1, AccessMode::write, false, true);
  }
  Thread& t = threads_[id];
  // A context seen for the first time makes a real thread: that is none of the program's doing.
  const bool was_controlled = std::exchange(controlled, false);
  const char noticed = calls_are_noticed;
  calls_are_noticed = 0;
  t.context = &contexts_[id];
  calls_are_noticed = noticed;
  controlled = was_controlled;
  t.id = id;
  t.parent = current_ ? current_->id : 0;
  t.status = Thread::Status::ready;
  t.timed = t.expired = t.in_operation = t.internal = false;
  t.attached = true;  // nothing happens between a thread's start and its first visible event
  t.comes_after = no_thread;
  t.makes_debut = false;
  t.events = 0;
  t.uncontrolled = t.locks = 0;
  t.unblocked = 0;
  t.start = start;
  t.argument = argument;
  t.result = nullptr;
  t.joiners = 0;
  t.stayed = t.woken = false;
  t.run_length = t.last_run = 0;
  t.state_at = ~0u;
  t.circles = {};
  t.spin.reset();
  t.attempt.begin(mix(mix(id, reinterpret_cast<std::uintptr_t>(start)), reinterpret_cast<std::uintptr_t>(argument)));
  t.turn.clear();
  t.writes_at_lock = ~std::uint64_t{0};
  turning_ &= ~bit(id);
  next_[id] = {0, site, 0, id, EventKind::start};
  races_.use_threads(thread_count_);
  races_.spawn(id);
  t.context->prepare(thread_entry, &t);
  ready_ |= bit(id);
  alive_ |= bit(id);
  if (current_) current_->attached = false;  // from here on others can come before the next event
  return t;
}

void Engine::thread_entry(void* self) {
  Thread& t = *static_cast<Thread*>(self);
  Engine& e = *engine;
  controlled = true;
  if (e.reducing_) e.wipe_stack();
  void* result = nullptr;
  run_user_code(t.start, t.argument, result);  // an exception that leaves it ends the execution there
  e.finish_thread(result);
}

void Engine::finish_thread(void* result) {
  Thread& t = *current_;
  run_thread_exit_handlers();
  if (t.locks != 0) [[unlikely]]
    sync::end_with_robust_mutexes();
  if (t.comes_after != no_thread) [[unlikely]]
    comes_to_debut(EventKind::finish);
  locks_left_ += t.locks;
  t.result = result;
  t.status = Thread::Status::finished;
  ready_ &= ~bit(t.id);
  alive_ &= ~bit(t.id);
  next_[t.id] = {0, 0, t.events++, t.id, EventKind::finish};
  if (watch_events_) [[unlikely]]
    tell_executed();
  races_.finish();
  made_progress(t.id);
  access(objects::thread(t.id), 1, AccessMode::write, false, true);
  if (told_) [[unlikely]] {
    t.attempt.restart();
    falls_silent();
  }
  if (awaited_ & bit(t.id)) {
    awaited_ &= ~bit(t.id);
    if (awaited_ == 0) t.joiners |= bit(0);
  }
  // What a joiner does up to its next visible event concerns nobody: it does it now, and that event is where the choice
  // is.
  if (std::has_single_bit(t.joiners) && !reducing_) {
    const auto joiner = static_cast<ThreadId>(std::countr_zero(t.joiners));
    unblock(joiner);
    if (threads_[joiner].status == Thread::Status::ready) {
      threads_[joiner].woken = true;
      leave_for(joiner);
    }
  }
  for (std::uint64_t mask = t.joiners; mask; mask &= mask - 1) unblock(static_cast<ThreadId>(std::countr_zero(mask)));
  if (alive_ == 0) {
    if (locks_left_ != 0) [[unlikely]]
      sync::look_for_locks_left();
    end(Ending::completed);
  }
  run_away(false);
  __builtin_unreachable();
}

void Engine::look_whether_alone() {
  if (!std::has_single_bit(alive_)) return;
  for (unsigned i = 0; i < thread_count_; ++i) {
    if (!races_.has_seen(static_cast<ThreadId>(i))) return;
  }
  races_.be_alone();
}

void Engine::join_all() {
  if (awaited_ == 0) transition_point();
  access(objects::free_switch, 1, AccessMode::read);
  while (awaited_ != 0) block(EventKind::join, 0);
  for (Thread* t = threads_ + 1; t != threads_ + thread_count_; ++t) {
    if (t->internal) continue;
    access(objects::thread(t->id), 1, AccessMode::read, true);
    joined_ |= bit(t->id);
    races_.join(t->id);
  }
  if (internal_ == 0) {
    races_.be_alone();  // nobody else was there
  } else {
    look_whether_alone();
  }
}

bool Engine::block(EventKind why, ObjectId on, const std::uint64_t* deadline) {
  Thread& t = *current_;
  t.woken = false;
  t.status = Thread::Status::blocked;
  t.blocked_on = on;
  t.blocked_as = why;
  t.expired = t.outrun = false;
  t.timed = deadline != nullptr;
  ready_ &= ~bit(t.id);
  if (deadline) {
    t.deadline = *deadline;
    timed_ |= bit(t.id);
  } else if (pending_ != 0) {
    look_for_blocked_operations();
  }
  if (watch_events_) observer_->blocked(t.id, why, on);
  run_away(false);
  t.timed = false;
  if (watch_events_) tell_executed();
  return !t.expired;
}

void Engine::unblock(ThreadId id) {
  Thread& t = threads_[id];
  if (t.status != Thread::Status::blocked) return;
  ++t.unblocked;
  t.status = Thread::Status::ready;
  timed_ &= ~bit(id);
  ready_ |= bit(id);
}

void Engine::block_instead(ThreadId id, EventKind why, ObjectId on) {
  Thread& t = threads_[id];
  t.blocked_as = why;
  t.blocked_on = on;
  t.outrun = t.timed;
  t.timed = false;
  timed_ &= ~bit(id);
}

void Engine::reblock(ThreadId id) {
  Thread& t = threads_[id];
  if (t.status != Thread::Status::ready) return;
  t.status = Thread::Status::blocked;
  ready_ &= ~bit(id);
  held_back_ &= ~bit(id);
  if (t.timed) timed_ |= bit(id);
}

}  // namespace muster
