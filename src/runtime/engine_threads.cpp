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
  time_.advance_to(t.deadline);
}

Thread& Engine::spawn(void* (*start)(void*), void* argument, SiteId site) {
  if (thread_count_ == max_threads) {
    fatal(IncidentKind::limit, site,
          fmt::format("an execution may have at most {} threads, a fixed limit", max_threads));
  }
  if (reduction_.reducing_ && !reduction_.reported_) [[unlikely]]
    reduction_.start_late();
  if (current_ && steps_ != current_->events) reduction_.begin_another();  // somebody else has stepped
  const auto id = static_cast<ThreadId>(thread_count_++);
  if (current_) {
    reduction_.touches({.object = objects::thread_ids, .mode = AccessMode::write});
    reduction_.touches({.object = objects::thread(id), .mode = AccessMode::write, .enabling = true});
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
  reduction_.spawned(t);
  next_[id] = {0, site, 0, id, EventKind::start};
  if (weak_ && current_) {
    const OwnWork work;
    weak_memory_.start(current_->id, id, races_.alone());
  }
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
  if (e.reduction_.reducing_) e.reduction_.wipe_stack();
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
    reduction_.comes_to_debut(EventKind::finish);
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
  reduction_.touches({.object = objects::thread(t.id), .mode = AccessMode::write, .enabling = true});
  if (reduction_.reported_) [[unlikely]] {
    t.attempt.restart();
    reduction_.stops();
  }
  blocking_.wake_joiners(t);
  if (alive_ == 0) {
    if (locks_left_ != 0) [[unlikely]]
      sync::look_for_locks_left();
    end(Ending::completed);
  }
  run_away();
  __builtin_unreachable();
}

}  // namespace muster
