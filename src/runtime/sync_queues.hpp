#pragma once
// What all that blocks has in common: who waits for it, who is woken, and what a wait touches.

#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "runtime/sync.hpp"
#include "runtime/sync_table.hpp"
#include "schedule/thread_set.hpp"

namespace muster::sync {

extern Table table;

template <class Function>
void for_each(std::uint64_t mask, Function function) {
  for (; mask; mask &= mask - 1) function(static_cast<ThreadId>(std::countr_zero(mask)));
}

inline void touch(const Access& access) { engine->reduction().touches(access); }
/// Who holds something and who waits for it, apart from its memory.
inline void touch_queue(ObjectId address, AccessMode mode) { touch({.object = objects::queue(address), .mode = mode}); }
inline void touch_queue(const Object& object, AccessMode mode) { touch_queue(object.address, mode); }
/// Whether a thread that takes something would have waited for it until it is there.
enum class Patience : std::uint8_t { none, endless };
inline Patience patience_of(const std::uint64_t* deadline) { return deadline ? Patience::none : Patience::endless; }
inline void touch_to_take(const Object& object, AccessMode mode, Patience patience) {
  touch({.object = objects::queue(object.address), .mode = mode, .blocking = patience == Patience::endless});
}
/// To whoever waits for it.
inline void touch_to_give_back(const Object& object, AccessMode mode) {
  touch({.object = objects::queue(object.address), .mode = mode, .enabling = true});
}

constexpr std::uint32_t destroyed_mark = 0xd15ea5ed;  // what no initialised object begins with
inline std::uint32_t& first_word(ObjectId address) { return *reinterpret_cast<std::uint32_t*>(address); }

/// Tells of something that nobody may do. Where a place belongs to it, `what` ends so that it can be told behind.
[[noreturn, gnu::cold, gnu::noinline]] void misused(SiteId site, std::string_view what, std::uint32_t earlier_site = 0);
[[noreturn, gnu::cold, gnu::noinline]] void used_after_destruction(ObjectId address, SiteId site);

/// Whatever was known of an object is void.
void remake(ObjectId address, SiteId site);

/// What every call does to its object first. One byte of it stands for all.
inline void use(ObjectId address, SiteId site) {
  touch({.object = address});
  engine->races().use(address, 1, site);
  if (first_word(address) == destroyed_mark) [[unlikely]]
    used_after_destruction(address, site);
}

/// A wait with a deadline may write the clock, or would have, had somebody not come first.
inline void touch_clock() { touch({.object = objects::clock, .mode = AccessMode::write}); }

/// Under reduction: the mutex that a waiter takes before it goes on. Looking whether it is free would be a step that
/// changes nothing.
extern std::array<Object*, max_threads> taken_after_wait;

/// A waiter goes on: what it does next happens after this.
inline void wake(ThreadId id) {
  touch({.object = objects::wake_up(id), .mode = AccessMode::write, .enabling = true});
  Object* const mutex = taken_after_wait[id];
  if (mutex) {
    mutex->waiters |= bit(id);
    engine->blocking().block_instead(id, EventKind::lock, mutex->address);
    if (mutex->owner != no_thread) return;
  }
  engine->blocking().unblock(id);
}

/// Releases a reader-writer lock, as the running thread holds it.
void put_back(Object& rwlock, SiteId site);

inline void unblock_all(std::uint64_t mask) {
  for_each(mask, [](ThreadId id) { engine->blocking().unblock(id); });
}
inline void reblock_all(std::uint64_t mask) {
  for_each(mask, [](ThreadId id) { engine->blocking().reblock(id); });
}

/// Blocks the running thread as a waiter of `object`. False if the deadline came first.
inline bool block_on(Object& object, EventKind why, const std::uint64_t* deadline) {
  const std::uint64_t me = bit(engine->current().id);
  object.waiters |= me;
  const bool woken = engine->blocking().block(why, object.address, deadline);
  touch({.object = objects::wake_up(engine->current().id),
         .blocking = deadline == nullptr,
         .alternative = deadline != nullptr});
  if (deadline) {
    touch_queue(object, AccessMode::commute);
    touch_clock();
  }
  object.waiters &= ~me;
  return woken;
}

/// Waits until `available()`. A thread that is about to take something counts as a waiter, so that it is no option
/// while it could not take it: `taken` and `given_back` keep that true.
template <class Available>
bool await(Object& object, std::uint64_t Object::*queue, EventKind kind, SiteId site, const std::uint64_t* deadline,
           Available available) {
  Thread& t = engine->current();
  const std::uint64_t me = bit(t.id);
  object.*queue |= me;
  t.expired = false;
  t.blocked_on = object.address;
  t.blocked_as = kind;
  t.blocked_site = site;
  if (engine->reduction().reducing())
    t.attached = false;  // where it can be taken at once and where not, taking it is a step of its own
  if (available()) {
    t.timed = deadline != nullptr;  // whoever is faster makes this thread wait, but not for ever
    if (deadline) t.deadline = *deadline;
    engine->locking_point(kind, object.address, site);
    t.timed = false;
  } else {
    engine->blocking().arrive(kind, object.address, site);
    // Under reduction nothing may happen here that would not where the lock is free.
    if (!engine->reduction().reducing()) use(object.address, site);
  }
  bool in_time = !t.expired;
  while (!available() && in_time) in_time = engine->blocking().block(kind, object.address, deadline);
  use(object.address, site);
  object.*queue &= ~me;
  if (deadline) touch_clock();
  if (!available()) touch_queue(object, AccessMode::read);
  return available();
}

inline void given_back(Object& object) {
  engine->races().release(object.clock);
  unblock_all(object.waiters | object.writers);
  engine->changed(object.address);
}

/// Wakes one of `candidates`, every one of which is tried.
inline ThreadId wake_one(Object& object, std::uint64_t candidates) {
  const ThreadId id =
      member(candidates, engine->choose(PointKind::waiter, static_cast<unsigned>(std::popcount(candidates))));
  object.waiters &= ~bit(id);
  wake(id);
  return id;
}

inline void wake_all(Object& object) { for_each(std::exchange(object.waiters, 0), wake); }

}  // namespace muster::sync
