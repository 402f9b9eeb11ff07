// Locks: mutexes, condition variables, reader-writer locks; and the state of all that blocks as a whole.

#include "runtime/sync.hpp"

#include "runtime/sync_queues.hpp"

namespace muster::sync {

Table table;
std::array<Object*, max_threads> taken_after_wait{};

namespace {

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

/// What readers release: the next writer happens after it, other readers do not. Most locks have none, so it lies beside
/// the lock.
Clock& released_by_readers(const Object& lock) { return table[lock.address + 1].clock; }

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
  engine->races().acquire(released_by_readers(lock));
  reblock_all(lock.waiters | lock.writers);
}

}  // namespace

void reset() {
  table.reset();
  taken_after_wait.fill(nullptr);
}
void pass(Tape& tape) {
  table.pass(tape);
  if (engine->reducing()) tape.pass(taken_after_wait.data(), engine->thread_count() * sizeof(Object*));
}
std::uint64_t state_hash() { return table.state_hash(); }
void forget(std::uintptr_t address, std::size_t size) { table.forget(address, size); }

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
  if (!await(mutex, &Object::waiters, EventKind::lock, site, deadline, [&] { return mutex.owner == no_thread; }))
    return LockResult::expired;
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
  engine->reading_point(EventKind::try_lock, address, site,
                        (std::uint64_t{lock.owner} << 32) | static_cast<std::uint32_t>(lock.count));
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
  return put_back(lock);
}

LockResult put_back(Object& lock) {
  const bool exclusive = lock.owner == engine->current().id;
  touch(lock, exclusive ? AccessMode::write : AccessMode::commute, false, true);
  if (exclusive) {
    lock.owner = no_thread;
  } else if (lock.count > 0) {
    --lock.count;
  } else {
    return LockResult::not_owner;
  }
  engine->races().release(exclusive ? lock.clock : released_by_readers(lock));
  unblock_all(lock.waiters);
  if (lock.count == 0) unblock_all(lock.writers);
  engine->changed(lock.address);
  return LockResult::taken;
}

}  // namespace muster::sync
