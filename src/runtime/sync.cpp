// Locks: mutexes, condition variables, reader-writer locks; and the state of all that blocks as a whole.

#include "runtime/sync.hpp"

#include <span>

#include "runtime/sync_queues.hpp"

namespace muster::sync {

Table table;
std::array<Object*, max_threads> taken_after_wait{};

namespace {

enum Repair : std::uint32_t { not_needed, needed, impossible };  // of what a robust mutex protects

LockResult take(Object& mutex, MutexType type, SiteId site, Patience patience) {
  if (type.robust && mutex.phase == impossible) {
    touch_queue(mutex, AccessMode::read);
    return LockResult::not_recoverable;
  }
  touch_to_take(mutex, AccessMode::write, patience);
  Thread& t = engine->current();
  mutex.owner = t.id;
  mutex.count = 1;
  mutex.robust = type.robust;
  mutex.site = static_cast<std::uint32_t>(site);
  ++t.locks;
  engine->races().acquire(mutex.clock);
  reblock_all(mutex.waiters);
  return type.robust && mutex.phase == needed ? LockResult::owner_died : LockResult::taken;
}

void give_back(Object& mutex) {
  touch_to_give_back(mutex, AccessMode::write);
  mutex.owner = no_thread;
  mutex.count = 0;
  --engine->current().locks;
  given_back(mutex);
}

/// Whoever releases a robust mutex before what it protects was repaired gives that up.
void leave_as_it_is(Object& mutex) {
  if (mutex.robust && mutex.phase == needed) mutex.phase = impossible;
}

/// What readers release: the next writer happens after it, other readers do not. Most locks have none, so it lies
/// beside the lock.
Clock& released_by_readers(const Object& lock) { return table[lock.address + 1].clock; }

void take_shared(Object& lock, SiteId site, Patience patience) {
  touch_to_take(lock, AccessMode::commute, patience);
  ++lock.count;
  Thread& t = engine->current();
  if (lock.readers & bit(t.id)) {
    ++lock.bits[t.id];
  } else {
    lock.readers |= bit(t.id);
    lock.bits[t.id] = 1;
    ++t.locks;
  }
  lock.site = static_cast<std::uint32_t>(site);
  engine->races().acquire(lock.clock);
  reblock_all(lock.writers);
}

void take_exclusive(Object& lock, SiteId site, Patience patience) {
  touch_to_take(lock, AccessMode::write, patience);
  Thread& t = engine->current();
  lock.owner = t.id;
  lock.site = static_cast<std::uint32_t>(site);
  ++t.locks;
  engine->races().acquire(lock.clock);
  engine->races().acquire(released_by_readers(lock));
  reblock_all(lock.waiters | lock.writers);
}

void give_back_shared(Object& lock) {
  --lock.count;
  Thread& t = engine->current();
  if (--lock.bits[t.id] > 0) return;
  lock.readers &= ~bit(t.id);
  --t.locks;
}

}  // namespace

void reset() {
  table.reset();
  taken_after_wait.fill(nullptr);
}
void pass(Tape& tape) {
  table.pass(tape);
  if (!engine->reduction().reducing()) return;
  const auto used = std::span(taken_after_wait).first(engine->thread_count());
  tape.pass(used.data(), used.size_bytes());
}
std::uint64_t state_hash() { return table.state_hash(); }

ThreadId owner(ObjectId mutex) {
  const Object* found = table.find(mutex);
  return found ? found->owner : no_thread;
}

bool is_held(ObjectId rwlock) {
  const Object* found = table.find(rwlock);
  return found && (found->owner != no_thread || found->count > 0);
}

void declare_acquire(ObjectId object) { engine->races().acquire(table[object].clock); }
void declare_release(ObjectId object) { engine->races().release(table[object].clock); }

// ---- mutexes ----

LockResult lock(ObjectId address, MutexType type, SiteId site, const std::uint64_t* deadline) {
  Object& mutex = table[address];
  if (mutex.owner == engine->current().id && type.kind != MutexKind::normal) {
    use(address, site);
    if (type.kind == MutexKind::checking) return LockResult::deadlock;
    ++mutex.count;
    return LockResult::taken;
  }
  if (!await(mutex, &Object::waiters, EventKind::lock, site, deadline, [&] { return mutex.owner == no_thread; }))
    return LockResult::expired;
  return take(mutex, type, site, patience_of(deadline));
}

LockResult try_lock(ObjectId address, MutexType type, SiteId site) {
  Object& mutex = table[address];
  engine->reading_point(EventKind::try_lock, address, site, mutex.owner);
  use(address, site);
  if (mutex.owner == engine->current().id && type.kind == MutexKind::recursive) {
    ++mutex.count;
    return LockResult::taken;
  }
  if (mutex.owner != no_thread || engine->fails_spuriously()) {
    touch_queue(mutex, AccessMode::read);
    return LockResult::busy;
  }
  return take(mutex, type, site, Patience::none);
}

LockResult unlock(ObjectId address, MutexType type, SiteId site) {
  engine->point(EventKind::unlock, address, site);
  use(address, site);
  Object& mutex = table[address];
  if (mutex.owner != engine->current().id) {
    if (type.kind != MutexKind::normal || type.robust) return LockResult::not_owner;
    if (mutex.owner == no_thread) misused(site, "unlocks a mutex that nobody holds");
    misused(site, "unlocks a mutex that another thread locked", mutex.site);
  }
  if (--mutex.count > 0) return LockResult::taken;
  leave_as_it_is(mutex);
  give_back(mutex);
  return LockResult::taken;
}

bool make_consistent(ObjectId address) {
  Object& mutex = table[address];
  if (mutex.owner != engine->current().id || mutex.phase != needed) return false;
  mutex.phase = not_needed;
  return true;
}

/// In the order in which they were first used.
void end_with_robust_mutexes() {
  table.for_each([](Object& mutex) {
    if (!mutex.robust || mutex.owner != engine->current().id) return;
    engine->point(EventKind::unlock, mutex.address, mutex.site);
    mutex.phase = needed;
    give_back(mutex);
    engine->wrote(mutex.address);
  });
}

// ---- condition variables ----

bool wait(ObjectId address, ObjectId mutex_address, MutexType type, SiteId site, const std::uint64_t* deadline,
          LockResult* relocked) {
  engine->point(deadline ? EventKind::timed_wait : EventKind::wait, address, site);
  use(address, site);
  use(mutex_address, site);
  Object& condition = table[address];
  Object& mutex = table[mutex_address];
  if (mutex.owner != engine->current().id) {
    if (relocked && (type.kind != MutexKind::normal || type.robust)) {
      *relocked = LockResult::not_owner;
      return true;
    }
    misused(site, "waits on a condition variable with a mutex that it does not hold");
  }
  if (condition.waiters != 0 && condition.mutex != mutex_address)
    misused(site, "waits on a condition variable with another mutex than those who wait there already");
  condition.mutex = mutex_address;
  const std::int32_t depth = mutex.count;
  leave_as_it_is(mutex);
  give_back(mutex);
  touch_queue(condition, AccessMode::commute);
  const bool spurious = engine->fails_spuriously();
  if (engine->reduction().reducing()) taken_after_wait[engine->current().id] = &mutex;
  const bool notified = spurious || block_on(condition, deadline ? EventKind::timed_wait : EventKind::wait, deadline);
  taken_after_wait[engine->current().id] = nullptr;
  const std::uint64_t me = bit(engine->current().id);
  mutex.waiters |= me;
  Patience patience = notified && !spurious ? Patience::endless : Patience::none;
  while (mutex.owner != no_thread) {
    patience = Patience::endless;
    touch_queue(mutex, AccessMode::read);
    engine->blocking().block(EventKind::lock, mutex_address);
  }
  mutex.waiters &= ~me;
  use(mutex_address, site);
  const LockResult taken = take(mutex, type, site, patience);
  if (taken != LockResult::not_recoverable) mutex.count = depth;
  if (relocked) *relocked = taken;
  return notified;
}

void notify_one(ObjectId address, SiteId site) {
  engine->point(EventKind::notify_one, address, site);
  use(address, site);
  Object* condition = table.find(address);
  const bool somebody = condition && condition->waiters;
  touch_queue(address, somebody ? AccessMode::write : AccessMode::read);
  if (somebody) wake_one(*condition, condition->waiters);
}

void notify_all(ObjectId address, SiteId site) {
  engine->point(EventKind::notify_all, address, site);
  use(address, site);
  Object* condition = table.find(address);
  touch_queue(address, condition && condition->waiters ? AccessMode::write : AccessMode::read);
  if (condition) wake_all(*condition);
}

// ---- reader-writer locks (readers come first, as by default in glibc) ----

LockResult lock_shared(ObjectId address, SiteId site, const std::uint64_t* deadline) {
  Object& lock = table[address];
  if (lock.owner == engine->current().id) return LockResult::deadlock;
  const auto available = [&] { return lock.owner == no_thread; };
  if (!await(lock, &Object::waiters, EventKind::lock_shared, site, deadline, available)) return LockResult::expired;
  take_shared(lock, site, patience_of(deadline));
  return LockResult::taken;
}

LockResult try_lock_shared(ObjectId address, SiteId site) {
  Object& lock = table[address];
  engine->reading_point(EventKind::try_lock_shared, address, site, lock.owner);
  use(address, site);
  if (lock.owner != no_thread || engine->fails_spuriously()) {
    touch_queue(lock, AccessMode::read);
    return LockResult::busy;
  }
  take_shared(lock, site, Patience::none);
  return LockResult::taken;
}

LockResult lock_exclusive(ObjectId address, SiteId site, const std::uint64_t* deadline) {
  Object& lock = table[address];
  if (lock.owner == engine->current().id) return LockResult::deadlock;
  const auto available = [&] { return lock.owner == no_thread && lock.count == 0; };
  if (!await(lock, &Object::writers, EventKind::lock, site, deadline, available)) return LockResult::expired;
  take_exclusive(lock, site, patience_of(deadline));
  return LockResult::taken;
}

LockResult try_lock_exclusive(ObjectId address, SiteId site) {
  Object& lock = table[address];
  engine->reading_point(EventKind::try_lock, address, site,
                        (std::uint64_t{lock.owner} << 32) | static_cast<std::uint32_t>(lock.count));
  use(address, site);
  if (lock.owner != no_thread || lock.count > 0 || engine->fails_spuriously()) {
    touch_queue(lock, AccessMode::read);
    return LockResult::busy;
  }
  take_exclusive(lock, site, Patience::none);
  return LockResult::taken;
}

LockResult unlock_rwlock(ObjectId address, SiteId site) {
  Object& lock = table[address];
  const bool exclusive = lock.owner == engine->current().id;
  engine->point(exclusive ? EventKind::unlock : EventKind::unlock_shared, address, site);
  use(address, site);
  put_back(lock, site);
  return LockResult::taken;
}

void put_back(Object& lock, SiteId site) {
  Thread& t = engine->current();
  const bool exclusive = lock.owner == t.id;
  touch_to_give_back(lock, exclusive ? AccessMode::write : AccessMode::commute);
  if (exclusive) {
    lock.owner = no_thread;
    --t.locks;
  } else if (lock.readers & bit(t.id)) {
    give_back_shared(lock);
  } else {
    misused(site, "unlocks a reader-writer lock that it does not hold");
  }
  engine->races().release(exclusive ? lock.clock : released_by_readers(lock));
  unblock_all(lock.waiters);
  if (lock.count == 0) unblock_all(lock.writers);
  engine->changed(lock.address);
}

}  // namespace muster::sync
