#include "runtime/sync.hpp"

#include <array>
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

void touch(ObjectId address, AccessMode mode, bool blocking = false, bool enabling = false) {
  engine->access(objects::queue(address), 1, mode, blocking, enabling);
}
void touch(const Object& object, AccessMode mode, bool blocking = false, bool enabling = false) { touch(object.address, mode, blocking, enabling); }

/// A wait with a deadline may write the clock, or would have, had somebody not come first.
void touch_clock() { engine->access(objects::clock, 1, AccessMode::write); }

/// Under reduction: the mutex that a waiter takes before it goes on. Looking whether it is free would be a step that changes nothing.
std::array<Object*, max_threads> taken_after_wait{};

/// A waiter goes on: what it does next happens after this.
void wake(ThreadId id) {
  engine->access(objects::wake_up(id), 1, AccessMode::write, false, true);
  Object* const mutex = taken_after_wait[id];
  if (mutex) {
    mutex->waiters |= bit(id);
    engine->block_instead(id, EventKind::lock, mutex->address);
    if (mutex->owner != no_thread) return;
  }
  engine->unblock(id);
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
  engine->access(objects::wake_up(engine->current().id), 1, AccessMode::read, deadline == nullptr, false, deadline != nullptr);
  if (deadline) {
    touch(object, AccessMode::commute);
    touch_clock();
  }
  object.waiters &= ~me;
  return woken;
}

/// Waits until `available()`. A thread that is about to take something counts as a waiter, so that it is no option while it could not
/// take it: `taken` and `given_back` keep that true.
template <class Available>
bool await(Object& object, std::uint64_t Object::*queue, EventKind kind, SiteId site, const std::uint64_t* deadline, Available available) {
  Thread& t = engine->current();
  const std::uint64_t me = bit(t.id);
  object.*queue |= me;
  t.expired = false;
  t.blocked_on = object.address;
  t.blocked_as = kind;
  t.blocked_site = site;
  if (engine->reducing()) t.attached = false;  // where it can be taken at once and where not, taking it is a step of its own
  if (available()) {
    t.timed = deadline != nullptr;  // whoever is faster makes this thread wait, but not for ever
    if (deadline) t.deadline = *deadline;
    engine->locking_point(kind, object.address, site);
    t.timed = false;
  } else {
    engine->arrive_blocked(kind, object.address, site);
  }
  bool in_time = !t.expired;
  while (!available() && in_time) in_time = engine->block(kind, object.address, deadline);
  object.*queue &= ~me;
  if (deadline) touch_clock();
  if (!available()) touch(object, AccessMode::read);
  return available();
}

void given_back(Object& object) {
  engine->races().release(object.clock);
  unblock_all(object.waiters | object.writers);
  engine->changed(object.address);
}

/// Wakes one of `candidates`, every one of which is tried.
ThreadId wake_one(Object& object, std::uint64_t candidates) {
  const ThreadId id = member(candidates, engine->choose(PointKind::waiter, static_cast<unsigned>(std::popcount(candidates))));
  object.waiters &= ~bit(id);
  wake(id);
  return id;
}

void wake_all(Object& object) { for_each(std::exchange(object.waiters, 0), wake); }

void take(Object& mutex, bool waits = true) {
  touch(mutex, AccessMode::write, waits);
  mutex.owner = engine->current().id;
  mutex.count = 1;
  engine->races().acquire(mutex.clock);
  reblock_all(mutex.waiters);
}

void give_back(Object& mutex) {
  touch(mutex, AccessMode::write, false, true);
  mutex.owner = no_thread;
  mutex.count = 0;
  given_back(mutex);
}

void take_shared(Object& lock, bool waits = true) {
  touch(lock, AccessMode::commute, waits);
  ++lock.count;
  engine->races().acquire(lock.clock);
  reblock_all(lock.writers);
}

void take_exclusive(Object& lock, bool waits = true) {
  touch(lock, AccessMode::write, waits);
  lock.owner = engine->current().id;
  engine->races().acquire(lock.clock);
  reblock_all(lock.waiters | lock.writers);
}

void take_one(Object& semaphore, bool waits) {
  engine->access(objects::queue(semaphore.address), 1, AccessMode::write, waits, false, false, true);
  --semaphore.count;
  engine->races().acquire(semaphore.clock);
  if (semaphore.count == 0) reblock_all(semaphore.waiters);
  engine->changed(semaphore.address);
}

}  // namespace

void reset() {
  table.reset();
  taken_after_wait.fill(nullptr);
}
void pass(Tape& tape) { table.pass(tape); }
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
  touch(mutex, AccessMode::write);
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
  take(mutex, deadline == nullptr);
  return LockResult::taken;
}

LockResult try_lock(ObjectId address, MutexKind kind, SiteId site) {
  Object& mutex = table[address];
  engine->reading_point(EventKind::try_lock, address, site, mutex.owner);
  if (mutex.owner == engine->current().id && kind == MutexKind::recursive) {
    ++mutex.count;
    return LockResult::taken;
  }
  if (mutex.owner != no_thread || engine->fails_spuriously()) {
    touch(mutex, AccessMode::read);
    return LockResult::busy;
  }
  take(mutex, false);
  return LockResult::taken;
}

LockResult unlock(ObjectId address, MutexKind kind, SiteId site) {
  engine->point(EventKind::unlock, address, site);
  Object& mutex = table[address];
  if (mutex.owner != engine->current().id) {
    if (kind != MutexKind::normal) return LockResult::not_owner;
    touch(mutex, AccessMode::read);
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
  touch(condition, AccessMode::commute);
  const bool spurious = engine->fails_spuriously();
  if (engine->reducing()) taken_after_wait[engine->current().id] = &mutex;
  const bool notified = spurious || block_on(condition, deadline ? EventKind::timed_wait : EventKind::wait, deadline);
  taken_after_wait[engine->current().id] = nullptr;
  const std::uint64_t me = bit(engine->current().id);
  mutex.waiters |= me;
  bool waits = notified && !spurious;
  while (mutex.owner != no_thread) {
    waits = true;
    touch(mutex, AccessMode::read);
    engine->block(EventKind::lock, mutex_address);
  }
  mutex.waiters &= ~me;
  take(mutex, waits);
  mutex.count = depth;
  return notified;
}

void notify_one(ObjectId address, SiteId site) {
  engine->point(EventKind::notify_one, address, site);
  Object* condition = table.find(address);
  const bool somebody = condition && condition->waiters;
  touch(address, somebody ? AccessMode::write : AccessMode::read);
  if (somebody) wake_one(*condition, condition->waiters);
}

void notify_all(ObjectId address, SiteId site) {
  engine->point(EventKind::notify_all, address, site);
  Object* condition = table.find(address);
  touch(address, condition && condition->waiters ? AccessMode::write : AccessMode::read);
  if (condition) wake_all(*condition);
}

// ---- reader-writer locks (readers come first, as by default in glibc) ----

void rwlock_init(ObjectId rwlock) { mutex_init(rwlock); }

LockResult lock_shared(ObjectId address, SiteId site, const std::uint64_t* deadline) {
  Object& lock = table[address];
  if (lock.owner == engine->current().id) return LockResult::deadlock;
  const auto available = [&] { return lock.owner == no_thread; };
  if (!await(lock, &Object::waiters, EventKind::lock_shared, site, deadline, available)) return LockResult::expired;
  take_shared(lock, deadline == nullptr);
  return LockResult::taken;
}

LockResult try_lock_shared(ObjectId address, SiteId site) {
  Object& lock = table[address];
  engine->reading_point(EventKind::try_lock_shared, address, site, lock.owner);
  if (lock.owner != no_thread || engine->fails_spuriously()) {
    touch(lock, AccessMode::read);
    return LockResult::busy;
  }
  take_shared(lock, false);
  return LockResult::taken;
}

LockResult lock_exclusive(ObjectId address, SiteId site, const std::uint64_t* deadline) {
  Object& lock = table[address];
  if (lock.owner == engine->current().id) return LockResult::deadlock;
  const auto available = [&] { return lock.owner == no_thread && lock.count == 0; };
  if (!await(lock, &Object::writers, EventKind::lock, site, deadline, available)) return LockResult::expired;
  take_exclusive(lock, deadline == nullptr);
  return LockResult::taken;
}

LockResult try_lock_exclusive(ObjectId address, SiteId site) {
  Object& lock = table[address];
  engine->reading_point(EventKind::try_lock, address, site, (std::uint64_t{lock.owner} << 32) | static_cast<std::uint32_t>(lock.count));
  if (lock.owner != no_thread || lock.count > 0 || engine->fails_spuriously()) {
    touch(lock, AccessMode::read);
    return LockResult::busy;
  }
  take_exclusive(lock, false);
  return LockResult::taken;
}

LockResult unlock_rwlock(ObjectId address, SiteId site) {
  Object& lock = table[address];
  const bool exclusive = lock.owner == engine->current().id;
  engine->point(exclusive ? EventKind::unlock : EventKind::unlock_shared, address, site);
  touch(lock, exclusive ? AccessMode::write : AccessMode::commute, false, true);
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
  touch(address, AccessMode::write);
  Object& semaphore = table[address];
  table.restart(semaphore);
  semaphore.count = static_cast<std::int32_t>(value);
}

bool acquire(ObjectId address, SiteId site, const std::uint64_t* deadline) {
  Object& semaphore = table[address];
  const auto available = [&] { return semaphore.count > 0; };
  if (!await(semaphore, &Object::waiters, EventKind::acquire_semaphore, site, deadline, available)) return false;
  take_one(semaphore, deadline == nullptr);
  return true;
}

bool try_acquire(ObjectId address, SiteId site) {
  Object& semaphore = table[address];
  engine->reading_point(EventKind::acquire_semaphore, address, site, static_cast<std::uint64_t>(semaphore.count));
  if (semaphore.count == 0) {
    touch(semaphore, AccessMode::read);
    return false;
  }
  take_one(semaphore, false);
  return true;
}

void release(ObjectId address, SiteId site) {
  engine->point(EventKind::release_semaphore, address, site);
  touch(address, AccessMode::write, false, true);
  Object& semaphore = table[address];
  ++semaphore.count;
  given_back(semaphore);
  engine->wrote(address);
}

int semaphore_value(ObjectId address) {
  touch(address, AccessMode::read);
  return table[address].count;
}

// ---- barriers ----

void barrier_init(ObjectId address, unsigned count) {
  Object& barrier = table[address];
  table.restart(barrier);
  barrier.size = count;
}

bool arrive_and_wait(ObjectId address, SiteId site) {
  engine->point(EventKind::arrive, address, site);
  touch(address, AccessMode::write);
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
  while (once.phase == running) {
    touch(once, AccessMode::read);
    block_on(once, EventKind::once, nullptr);
  }
  engine->races().acquire(once.clock);
  touch(once, once.phase == done ? AccessMode::read : AccessMode::write);
  if (once.phase == done) return false;
  once.phase = running;
  once.owner = engine->current().id;
  return true;
}

void once_end(ObjectId address, bool finished) {
  engine->transition_point();
  touch(address, AccessMode::write);
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
  engine->access(address, 4, AccessMode::read);
  touch(address, AccessMode::commute);
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
  touch(address, queue && queue->waiters ? AccessMode::write : AccessMode::read);
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
      wake(id);
    }
    candidates &= ~bit(id);
    ++woken;
  }
  return woken;
}

unsigned futex_requeue(std::uint32_t* word, unsigned count, unsigned move, std::uint32_t* to, SiteId site) {
  const unsigned woken = futex_wake(word, count, site, ~0u);
  touch(reinterpret_cast<ObjectId>(to), AccessMode::write);
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
  if (child.status == Thread::Status::finished) engine->transition_point();
  while (child.status != Thread::Status::finished) {
    child.joiners |= bit(me);
    const bool woken = engine->block(EventKind::join, id, deadline);
    child.joiners &= ~bit(me);
    if (deadline) touch_clock();
    if (!woken && child.status != Thread::Status::finished) {
      engine->access(objects::thread(id), 1, AccessMode::read);
      return false;
    }
  }
  engine->access(objects::thread(id), 1, AccessMode::read, deadline == nullptr);
  engine->access(objects::free_switch, 1, AccessMode::read);
  child.joined = true;
  engine->races().acquire(child.clock);
  return true;
}

}  // namespace muster::sync
