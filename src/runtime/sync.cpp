#include "runtime/sync.hpp"

#include <bit>
#include <utility>

#include "runtime/sync_table.hpp"
#include "runtime/thread_set.hpp"

namespace muster::sync {
namespace {

Table table;

template <class Function>
void for_each(std::uint64_t mask, Function function) {
  for (; mask; mask &= mask - 1) function(static_cast<ThreadId>(std::countr_zero(mask)));
}

void unblock_all(std::uint64_t mask) {
  for_each(mask, [](ThreadId id) { engine->unblock(id); });
}
void reblock_all(std::uint64_t mask) {
  for_each(mask, [](ThreadId id) { engine->reblock(id); });
}

/// Blocks the running thread as a waiter of `object`. False if the deadline came first.
bool block_on(Object& object, EventKind why, const std::uint64_t* deadline) {
  const std::uint64_t me = bit(engine->current().id);
  object.waiters |= me;
  const bool woken = engine->block(why, object.address, deadline);
  object.waiters &= ~me;
  return woken;
}

/// Waits until `available()`. A thread that is about to take something counts as a waiter, so that it is no option while it could not
/// take it: `taken` and `given_back` keep that true.
template <class Available>
bool await(Object& object, std::uint64_t Object::*queue, EventKind kind, SiteId site, const std::uint64_t* deadline, Available available) {
  Thread& self = engine->current();
  const std::uint64_t me = bit(self.id);
  object.*queue |= me;
  self.blocked_as = kind;
  self.blocked_on = object.address;
  self.blocked_site = site;
  if (available()) {
    engine->locking_point(kind, object.address, site);
  } else {
    engine->arrive_blocked(kind, object.address, site);
  }
  bool in_time = true;
  while (!available() && in_time) in_time = engine->block(kind, object.address, deadline);
  object.*queue &= ~me;
  return available();
}

void given_back(Object& object) {
  engine->races().release(object.clock);
  unblock_all(object.waiters | object.writers);
  engine->changed(object.address);
}

/// Wakes one of `candidates`, every one of which is tried.
ThreadId wake_one(Object& object, std::uint64_t candidates) {
  unsigned nth = engine->choose(PointKind::waiter, static_cast<unsigned>(std::popcount(candidates)));
  while (nth-- > 0) candidates &= candidates - 1;
  const auto id = static_cast<ThreadId>(std::countr_zero(candidates));
  object.waiters &= ~bit(id);
  engine->unblock(id);
  return id;
}

void wake_all(Object& object) { unblock_all(std::exchange(object.waiters, 0)); }

void take(Object& mutex) {
  mutex.owner = engine->current().id;
  mutex.count = 1;
  engine->races().acquire(mutex.clock);
  reblock_all(mutex.waiters);
}

void give_back(Object& mutex) {
  mutex.owner = no_thread;
  mutex.count = 0;
  given_back(mutex);
}

void take_shared(Object& lock) {
  ++lock.count;
  engine->races().acquire(lock.clock);
  reblock_all(lock.writers);
}

void take_exclusive(Object& lock) {
  lock.owner = engine->current().id;
  engine->races().acquire(lock.clock);
  reblock_all(lock.waiters | lock.writers);
}

void take_one(Object& semaphore) {
  --semaphore.count;
  engine->races().acquire(semaphore.clock);
  if (semaphore.count == 0) reblock_all(semaphore.waiters);
  engine->changed(semaphore.address);
}

}  // namespace

void reset() { table.reset(); }
std::uint64_t state_hash() { return table.state_hash(); }
void forget(std::uintptr_t address, std::size_t size) { table.forget(address, size); }

ThreadId owner(ObjectId mutex) {
  const Object* found = table.find(mutex);
  return found ? found->owner : no_thread;
}

void declare_acquire(ObjectId object) { engine->races().acquire(table[object].clock); }
void declare_release(ObjectId object) { engine->races().release(table[object].clock); }

// ---- mutexes ----

void mutex_init(ObjectId mutex) {
  if (Object* old = table.find(mutex)) table.restart(*old);
}

LockResult lock(ObjectId address, MutexKind kind, SiteId site, const std::uint64_t* deadline) {
  Object& mutex = table[address];
  if (mutex.owner == engine->current().id && kind != MutexKind::normal) {
    if (kind == MutexKind::checking) return LockResult::deadlock;
    ++mutex.count;
    return LockResult::taken;
  }
  if (!await(mutex, &Object::waiters, EventKind::lock, site, deadline, [&] { return mutex.owner == no_thread; })) return LockResult::expired;
  take(mutex);
  return LockResult::taken;
}

LockResult try_lock(ObjectId address, MutexKind kind, SiteId site) {
  Object& mutex = table[address];
  engine->reading_point(EventKind::try_lock, address, site, mutex.owner);
  if (mutex.owner == engine->current().id && kind == MutexKind::recursive) {
    ++mutex.count;
    return LockResult::taken;
  }
  if (mutex.owner != no_thread || engine->fails_spuriously()) return LockResult::busy;
  take(mutex);
  return LockResult::taken;
}

LockResult unlock(ObjectId address, MutexKind kind, SiteId site) {
  engine->point(EventKind::unlock, address, site);
  Object& mutex = table[address];
  if (mutex.owner != engine->current().id) {
    if (kind != MutexKind::normal) return LockResult::not_owner;
    // Allowed by nobody and done by some: the lock is free afterwards, as with the real one.
    if (mutex.owner == no_thread) return LockResult::taken;
  }
  if (--mutex.count > 0) return LockResult::taken;
  give_back(mutex);
  return LockResult::taken;
}

// ---- condition variables ----

bool wait(ObjectId address, ObjectId mutex_address, MutexKind, SiteId site, const std::uint64_t* deadline) {
  engine->point(deadline ? EventKind::timed_wait : EventKind::wait, address, site);
  Object& condition = table[address];
  Object& mutex = table[mutex_address];
  const std::int32_t depth = mutex.count;
  if (mutex.owner == engine->current().id) give_back(mutex);
  const bool spurious = engine->fails_spuriously();
  const bool notified = spurious || block_on(condition, deadline ? EventKind::timed_wait : EventKind::wait, deadline);
  const std::uint64_t me = bit(engine->current().id);
  mutex.waiters |= me;
  while (mutex.owner != no_thread) engine->block(EventKind::lock, mutex_address);
  mutex.waiters &= ~me;
  take(mutex);
  mutex.count = depth;
  return notified;
}

void notify_one(ObjectId address, SiteId site) {
  engine->point(EventKind::notify_one, address, site);
  if (Object* condition = table.find(address); condition && condition->waiters) wake_one(*condition, condition->waiters);
}

void notify_all(ObjectId address, SiteId site) {
  engine->point(EventKind::notify_all, address, site);
  if (Object* condition = table.find(address)) wake_all(*condition);
}

// ---- reader-writer locks (readers come first, as by default in glibc) ----

void rwlock_init(ObjectId rwlock) { mutex_init(rwlock); }

LockResult lock_shared(ObjectId address, SiteId site, const std::uint64_t* deadline) {
  Object& lock = table[address];
  if (lock.owner == engine->current().id) return LockResult::deadlock;
  const auto available = [&] { return lock.owner == no_thread; };
  if (!await(lock, &Object::waiters, EventKind::lock_shared, site, deadline, available)) return LockResult::expired;
  take_shared(lock);
  return LockResult::taken;
}

LockResult try_lock_shared(ObjectId address, SiteId site) {
  Object& lock = table[address];
  engine->reading_point(EventKind::try_lock_shared, address, site, lock.owner);
  if (lock.owner != no_thread || engine->fails_spuriously()) return LockResult::busy;
  take_shared(lock);
  return LockResult::taken;
}

LockResult lock_exclusive(ObjectId address, SiteId site, const std::uint64_t* deadline) {
  Object& lock = table[address];
  if (lock.owner == engine->current().id) return LockResult::deadlock;
  const auto available = [&] { return lock.owner == no_thread && lock.count == 0; };
  if (!await(lock, &Object::writers, EventKind::lock, site, deadline, available)) return LockResult::expired;
  take_exclusive(lock);
  return LockResult::taken;
}

LockResult try_lock_exclusive(ObjectId address, SiteId site) {
  Object& lock = table[address];
  engine->reading_point(EventKind::try_lock, address, site, (std::uint64_t{lock.owner} << 32) | static_cast<std::uint32_t>(lock.count));
  if (lock.owner != no_thread || lock.count > 0 || engine->fails_spuriously()) return LockResult::busy;
  take_exclusive(lock);
  return LockResult::taken;
}

LockResult unlock_rwlock(ObjectId address, SiteId site) {
  Object& lock = table[address];
  const bool exclusive = lock.owner == engine->current().id;
  engine->point(exclusive ? EventKind::unlock : EventKind::unlock_shared, address, site);
  if (exclusive) {
    lock.owner = no_thread;
  } else if (lock.count > 0) {
    --lock.count;
  } else {
    return LockResult::not_owner;
  }
  engine->races().release(lock.clock);
  unblock_all(lock.waiters);
  if (lock.count == 0) unblock_all(lock.writers);
  engine->changed(address);
  return LockResult::taken;
}

// ---- semaphores ----

void semaphore_init(ObjectId address, unsigned value) {
  Object& semaphore = table[address];
  table.restart(semaphore);
  semaphore.count = static_cast<std::int32_t>(value);
}

bool acquire(ObjectId address, SiteId site, const std::uint64_t* deadline) {
  Object& semaphore = table[address];
  const auto available = [&] { return semaphore.count > 0; };
  if (!await(semaphore, &Object::waiters, EventKind::acquire_semaphore, site, deadline, available)) return false;
  take_one(semaphore);
  return true;
}

bool try_acquire(ObjectId address, SiteId site) {
  Object& semaphore = table[address];
  engine->reading_point(EventKind::acquire_semaphore, address, site, static_cast<std::uint64_t>(semaphore.count));
  if (semaphore.count == 0) return false;
  take_one(semaphore);
  return true;
}

void release(ObjectId address, SiteId site) {
  engine->point(EventKind::release_semaphore, address, site);
  Object& semaphore = table[address];
  ++semaphore.count;
  given_back(semaphore);
  engine->wrote(address);
}

int semaphore_value(ObjectId address) { return table[address].count; }

// ---- barriers ----

void barrier_init(ObjectId address, unsigned count) {
  Object& barrier = table[address];
  table.restart(barrier);
  barrier.size = count;
}

bool arrive_and_wait(ObjectId address, SiteId site) {
  engine->point(EventKind::arrive, address, site);
  Object& barrier = table[address];
  engine->races().release(barrier.clock);
  engine->wrote(address);
  const std::uint32_t phase = barrier.phase;
  if (static_cast<std::uint32_t>(++barrier.count) == barrier.size) {
    barrier.count = 0;
    ++barrier.phase;
    wake_all(barrier);
    engine->races().acquire(barrier.clock);
    return true;
  }
  while (barrier.phase == phase) block_on(barrier, EventKind::arrive, nullptr);
  engine->races().acquire(barrier.clock);
  return false;
}

// ---- once ----

namespace {
enum OncePhase : std::uint32_t { fresh, running, done };
}

bool once_begin(ObjectId address, SiteId site) {
  engine->point(EventKind::once, address, site);
  Object& once = table[address];
  while (once.phase == running) block_on(once, EventKind::once, nullptr);
  engine->races().acquire(once.clock);
  if (once.phase == done) return false;
  once.phase = running;
  once.owner = engine->current().id;
  return true;
}

void once_end(ObjectId address, bool finished) {
  Object& once = table[address];
  once.phase = finished ? done : fresh;
  once.owner = no_thread;
  engine->races().release(once.clock);
  wake_all(once);
  engine->wrote(address);
}

// ---- futexes ----

FutexResult futex_wait(std::uint32_t* word, std::uint32_t expected, SiteId site, const std::uint64_t* deadline, std::uint32_t bits) {
  const auto address = reinterpret_cast<ObjectId>(word);
  engine->reading_point(EventKind::futex_wait, address, site, __atomic_load_n(word, __ATOMIC_RELAXED));
  engine->races().load(address, 4, Order::relaxed, site);
  if (__atomic_load_n(word, __ATOMIC_RELAXED) != expected) return FutexResult::value_differs;
  if (engine->fails_spuriously()) return FutexResult::woken;
  Object& queue = table[address];
  queue.bits[engine->current().id] = bits;
  return block_on(queue, EventKind::futex_wait, deadline) ? FutexResult::woken : FutexResult::expired;
}

unsigned futex_wake(std::uint32_t* word, unsigned count, SiteId site, std::uint32_t bits) {
  const auto address = reinterpret_cast<ObjectId>(word);
  engine->point(EventKind::futex_wake, address, site);
  Object* queue = table.find(address);
  if (!queue) return 0;
  std::uint64_t candidates = 0;
  for (std::uint64_t mask = queue->waiters; mask; mask &= mask - 1) {
    const auto id = static_cast<ThreadId>(std::countr_zero(mask));
    if (queue->bits[id] & bits) candidates |= bit(id);
  }
  unsigned woken = 0;
  while (woken < count && candidates) {
    const bool all = count - woken >= static_cast<unsigned>(std::popcount(candidates));  // then the order is no decision
    const ThreadId id = all ? static_cast<ThreadId>(std::countr_zero(candidates)) : wake_one(*queue, candidates);
    if (all) {
      queue->waiters &= ~bit(id);
      engine->unblock(id);
    }
    candidates &= ~bit(id);
    ++woken;
  }
  return woken;
}

unsigned futex_requeue(std::uint32_t* word, unsigned count, unsigned move, std::uint32_t* to, SiteId site) {
  const unsigned woken = futex_wake(word, count, site, ~0u);
  Object* queue = table.find(reinterpret_cast<ObjectId>(word));
  if (!queue) return woken;
  Object& target = table[reinterpret_cast<ObjectId>(to)];
  for (; move > 0 && queue->waiters; --move) {
    const auto id = static_cast<ThreadId>(std::countr_zero(queue->waiters));
    queue->waiters &= ~bit(id);
    target.waiters |= bit(id);
    target.bits[id] = queue->bits[id];
  }
  return woken;
}

// ---- joins ----

bool join(ThreadId id, SiteId site, const std::uint64_t* deadline) {
  engine->arrive_blocked(EventKind::join, id, site);  // joining a thread that is done commutes with everything: no point either
  Thread& child = engine->thread(id);
  const ThreadId me = engine->current().id;
  while (child.status != Thread::Status::finished) {
    child.joiners |= bit(me);
    const bool woken = engine->block(EventKind::join, id, deadline);
    child.joiners &= ~bit(me);
    if (!woken && child.status != Thread::Status::finished) return false;
  }
  child.joined = true;
  engine->races().acquire(child.clock);
  return true;
}

}  // namespace muster::sync
