#pragma once
// What blocks: mutexes, condition variables, reader-writer locks, semaphores, barriers, once, futexes, joins. Their state is kept here, by
// address, and not in the object: a stuck execution is abandoned without leaving traces in anything.
//
// All functions act for the running model thread. A deadline is in virtual time; a function with one returns false when it expired.

#include <cstdint>

#include "runtime/engine.hpp"

namespace muster::sync {

enum class MutexKind : std::uint8_t { normal, recursive, checking };
enum class LockResult : std::uint8_t { taken, busy, expired, deadlock, not_owner };

void mutex_init(ObjectId mutex);
LockResult lock(ObjectId mutex, MutexKind kind, SiteId site, const std::uint64_t* deadline = nullptr);
LockResult try_lock(ObjectId mutex, MutexKind kind, SiteId site);
LockResult unlock(ObjectId mutex, MutexKind kind, SiteId site);

bool wait(ObjectId condition, ObjectId mutex, MutexKind kind, SiteId site, const std::uint64_t* deadline = nullptr);
void notify_one(ObjectId condition, SiteId site);
void notify_all(ObjectId condition, SiteId site);

void rwlock_init(ObjectId rwlock);
LockResult lock_shared(ObjectId rwlock, SiteId site, const std::uint64_t* deadline = nullptr);
LockResult try_lock_shared(ObjectId rwlock, SiteId site);
LockResult lock_exclusive(ObjectId rwlock, SiteId site, const std::uint64_t* deadline = nullptr);
LockResult try_lock_exclusive(ObjectId rwlock, SiteId site);
LockResult unlock_rwlock(ObjectId rwlock, SiteId site);

/// Locks that wait for conditions: enters `queue`, releases the reader-writer lock that the running thread holds, waits
/// until somebody wakes it, and takes the lock again as it held it. `awaited` is what the thread is then blocked on.
/// False if the deadline came first.
bool wait_released(ObjectId queue, ObjectId rwlock, ObjectId awaited, SiteId site, const std::uint64_t* deadline);
/// Who waits in a queue, and to wake one of them.
std::uint64_t waiting(ObjectId queue);
void wake_waiter(ObjectId queue, ThreadId thread);

void semaphore_init(ObjectId semaphore, unsigned value);
bool acquire(ObjectId semaphore, SiteId site, const std::uint64_t* deadline = nullptr);
bool try_acquire(ObjectId semaphore, SiteId site);
void release(ObjectId semaphore, SiteId site);
int semaphore_value(ObjectId semaphore);

void barrier_init(ObjectId barrier, unsigned count);
/// True for one of the threads that a full barrier lets go.
bool arrive_and_wait(ObjectId barrier, SiteId site);

/// Whether the caller shall run the initialisation, after waiting for one that is under way.
bool once_begin(ObjectId once, SiteId site);
void once_end(ObjectId once, bool done);

enum class FutexResult : std::uint8_t { woken, value_differs, expired };
FutexResult futex_wait(std::uint32_t* word, std::uint32_t expected, SiteId site, const std::uint64_t* deadline, std::uint32_t bits);
unsigned futex_wake(std::uint32_t* word, unsigned count, SiteId site, std::uint32_t bits);
unsigned futex_requeue(std::uint32_t* word, unsigned wake, unsigned move, std::uint32_t* to, SiteId site);

bool join(ThreadId thread, SiteId site, const std::uint64_t* deadline = nullptr);

/// A release or an acquire of a user's own lock, as annotations declare it.
void declare_acquire(ObjectId object);
void declare_release(ObjectId object);

/// Who holds a mutex; no_thread if nobody.
ThreadId owner(ObjectId mutex);
/// Whether somebody holds a reader-writer lock, shared or not.
bool is_held(ObjectId rwlock);

/// Called when memory is freed or reused: locks that lay in it are gone.
void forget(std::uintptr_t address, std::size_t size);
void reset();
void pass(Tape& tape);

/// A hash of who holds what.
std::uint64_t state_hash();

}  // namespace muster::sync
