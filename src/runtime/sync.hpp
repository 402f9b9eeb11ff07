#pragma once
// What blocks: mutexes, condition variables, reader-writer locks, semaphores, barriers, once, futexes, joins. Their
// state is kept here, by address, and not in the object: a stuck execution is abandoned without leaving traces in
// anything.
//
// All functions act for the running model thread. A deadline is in virtual time; a function with one returns false when
// it expired.
//
// Each call is an access to the object, like an atomic load: it conflicts with whoever frees, initialises, destroys or
// overwrites it. What was destroyed says so itself, in its first bytes, which every initialisation overwrites.

#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/engine.hpp"

namespace muster::sync {

/// The object is made, or made anew; or it is not to be used any more. `what` it is: "a mutex".
void init(ObjectId object, SiteId site);
void destroy(ObjectId object, std::string_view what, SiteId site);

enum class MutexKind : std::uint8_t { normal, recursive, checking };
struct MutexType {
  constexpr MutexType(MutexKind of, bool outlives_owner = false) : kind(of), robust(outlives_owner) {}
  MutexKind kind;
  bool robust;
};
enum class LockResult : std::uint8_t {
  taken,
  busy,
  expired,
  deadlock,
  not_owner,
  owner_died,       // taken, from a thread that ended with it
  not_recoverable,  // what it protects was not repaired after that
};

LockResult lock(ObjectId mutex, MutexType type, SiteId site, const std::uint64_t* deadline = nullptr);
LockResult try_lock(ObjectId mutex, MutexType type, SiteId site);
LockResult unlock(ObjectId mutex, MutexType type, SiteId site);
/// What a robust mutex protects is repaired. False: the running thread did not take it from one that ended with it.
bool make_consistent(ObjectId mutex);

/// `relocked`: how the mutex was taken again, or why it was not released.
bool wait(ObjectId condition, ObjectId mutex, MutexType type, SiteId site, const std::uint64_t* deadline = nullptr,
          LockResult* relocked = nullptr);
void notify_one(ObjectId condition, SiteId site);
void notify_all(ObjectId condition, SiteId site);

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

void semaphore_init(ObjectId semaphore, unsigned value, SiteId site = 0);
bool acquire(ObjectId semaphore, SiteId site, const std::uint64_t* deadline = nullptr);
bool try_acquire(ObjectId semaphore, SiteId site);
void release(ObjectId semaphore, SiteId site);
int semaphore_value(ObjectId semaphore, SiteId site);

void barrier_init(ObjectId barrier, unsigned count, SiteId site = 0);
/// True for one of the threads that a full barrier lets go.
bool arrive_and_wait(ObjectId barrier, SiteId site);

/// Whether anything was done to the object in this execution. What was made before it is adopted as it was then.
bool knows(ObjectId object);
void adopt_semaphore(ObjectId semaphore, unsigned value);
void adopt_barrier(ObjectId barrier, unsigned count);
/// What the memory of a once says of it: the initialisation is done, or nothing is. That holds where they differ.
void adopt_once(ObjectId once, bool done);

/// Whether the caller shall run the initialisation, after waiting for one that is under way.
bool once_begin(ObjectId once, SiteId site);
void once_end(ObjectId once, bool done);

enum class FutexResult : std::uint8_t { woken, value_differs, expired };
FutexResult futex_wait(std::uint32_t* word, std::uint32_t expected, SiteId site, const std::uint64_t* deadline,
                       std::uint32_t bits);
unsigned futex_wake(std::uint32_t* word, unsigned count, SiteId site, std::uint32_t bits);
/// How many were woken or moved; nothing if the word must hold something else than it does.
std::optional<unsigned> futex_requeue(std::uint32_t* word, unsigned wake, unsigned move, std::uint32_t* to, SiteId site,
                                      const std::uint32_t* expected);

bool join(ThreadId thread, SiteId site, const std::uint64_t* deadline = nullptr);

/// A release or an acquire of a user's own lock, as annotations declare it.
void declare_acquire(ObjectId object);
void declare_release(ObjectId object);

/// Who holds a mutex; no_thread if nobody.
ThreadId owner(ObjectId mutex);
/// Whether somebody holds a reader-writer lock, shared or not.
bool is_held(ObjectId rwlock);

/// What lay in this memory is gone: something else will.
void forget(std::uintptr_t address, std::size_t size);
/// The running thread ends with locks in its hands: the kernel gives robust ones to whoever comes next.
void end_with_robust_mutexes();
/// Everything has ended: tells of a lock that a thread of the program's own ended with, if there is one.
void look_for_locks_left();
void reset();
void pass(Tape& tape);

/// A hash of who holds what.
std::uint64_t state_hash();

}  // namespace muster::sync
