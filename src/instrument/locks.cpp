// pthread mutexes, reader-writer locks and spinlocks: what std::mutex and its relatives end in; C11's mutexes and the
// locks of streams.

#include "instrument/locks.hpp"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <threads.h>

#include "instrument/hook.hpp"
#include "instrument/tap.hpp"
#include "instrument/time.hpp"

namespace muster {
namespace {

using sync::LockResult;
using sync::MutexKind;
using sync::MutexType;
using trace::Kind;

/// How the running thread, which is about to release it, holds a reader-writer lock.
bool held_exclusively(const pthread_rwlock_t* lock) {
  if (controlled) return sync::owner(id(lock)) == engine->current().id;
  return lock->__data.__cur_writer != 0;
}

/// Releases a lock. On real threads that is told before it happens, since another thread may take the lock at once;
/// under control nobody can come between the two, and the point at which others may come first has passed.
template <class Lock, class Real, class Model>
int unlocked(Lock* lock, Kind kind, SiteId site, Real real, Model model) {
  if (!controlled) {
    tap::tell(kind, lock, site);
    return real(lock);
  }
  const int error = error_of(model(site));
  tap::tell(kind, lock, site);
  return error;
}

}  // namespace

MUSTER_HOOK int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept {
  if (controlled) sync::init(id(mutex), MUSTER_SITE);
  return MUSTER_REAL(pthread_mutex_init)(mutex, attributes);
}
MUSTER_HOOK int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  if (!controlled) return MUSTER_REAL(pthread_mutex_destroy)(mutex);
  sync::destroy(id(mutex), "a mutex", MUSTER_SITE);
  return 0;
}
MUSTER_HOOK int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  if (!controlled) return tap::locked(MUSTER_REAL(pthread_mutex_lock)(mutex), mutex, Kind::lock, MUSTER_SITE);
  tap::locking(mutex, Kind::lock, MUSTER_SITE);
  return tap::locked(error_of(sync::lock(id(mutex), type_of(mutex), MUSTER_SITE)), mutex, Kind::lock, MUSTER_SITE);
}
MUSTER_HOOK int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  if (!controlled) return tap::locked(MUSTER_REAL(pthread_mutex_trylock)(mutex), mutex, Kind::try_lock, MUSTER_SITE);
  return tap::locked(error_of(sync::try_lock(id(mutex), type_of(mutex), MUSTER_SITE)), mutex, Kind::try_lock,
                     MUSTER_SITE);
}
MUSTER_HOOK int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) noexcept {
  if (!controlled)
    return tap::locked(MUSTER_REAL(pthread_mutex_timedlock)(mutex, until), mutex, Kind::try_lock, MUSTER_SITE);
  const std::uint64_t deadline = virtual_deadline(*until, CLOCK_REALTIME);
  return tap::locked(error_of(sync::lock(id(mutex), type_of(mutex), MUSTER_SITE, &deadline)), mutex, Kind::try_lock,
                     MUSTER_SITE);
}
MUSTER_HOOK int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* until) noexcept {
  if (!controlled)
    return tap::locked(MUSTER_REAL(pthread_mutex_clocklock)(mutex, clock, until), mutex, Kind::try_lock, MUSTER_SITE);
  const std::uint64_t deadline = virtual_deadline(*until, clock);
  return tap::locked(error_of(sync::lock(id(mutex), type_of(mutex), MUSTER_SITE, &deadline)), mutex, Kind::try_lock,
                     MUSTER_SITE);
}
MUSTER_HOOK int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  return unlocked(mutex, Kind::unlock, MUSTER_SITE, MUSTER_REAL(pthread_mutex_unlock),
                  [=](SiteId site) { return sync::unlock(id(mutex), type_of(mutex), site); });
}
MUSTER_HOOK int pthread_mutex_consistent(pthread_mutex_t* mutex) noexcept {
  if (!controlled) return MUSTER_REAL(pthread_mutex_consistent)(mutex);
  return sync::make_consistent(id(mutex)) ? 0 : EINVAL;
}

MUSTER_HOOK int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) noexcept {
  if (controlled) sync::init(id(lock), MUSTER_SITE);
  return MUSTER_REAL(pthread_rwlock_init)(lock, attributes);
}
MUSTER_HOOK int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept {
  if (!controlled) return MUSTER_REAL(pthread_rwlock_destroy)(lock);
  sync::destroy(id(lock), "a reader-writer lock", MUSTER_SITE);
  return 0;
}
MUSTER_HOOK int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  if (!controlled) return tap::locked(MUSTER_REAL(pthread_rwlock_rdlock)(lock), lock, Kind::lock_shared, MUSTER_SITE);
  tap::locking(lock, Kind::lock_shared, MUSTER_SITE);
  return tap::locked(error_of(sync::lock_shared(id(lock), MUSTER_SITE)), lock, Kind::lock_shared, MUSTER_SITE);
}
MUSTER_HOOK int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
  if (!controlled)
    return tap::locked(MUSTER_REAL(pthread_rwlock_tryrdlock)(lock), lock, Kind::try_lock_shared, MUSTER_SITE);
  return tap::locked(error_of(sync::try_lock_shared(id(lock), MUSTER_SITE)), lock, Kind::try_lock_shared, MUSTER_SITE);
}
MUSTER_HOOK int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* until) noexcept {
  if (!controlled)
    return tap::locked(MUSTER_REAL(pthread_rwlock_timedrdlock)(lock, until), lock, Kind::try_lock_shared, MUSTER_SITE);
  const std::uint64_t deadline = virtual_deadline(*until, CLOCK_REALTIME);
  return tap::locked(error_of(sync::lock_shared(id(lock), MUSTER_SITE, &deadline)), lock, Kind::try_lock_shared,
                     MUSTER_SITE);
}
MUSTER_HOOK int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* until) noexcept {
  if (!controlled)
    return tap::locked(MUSTER_REAL(pthread_rwlock_clockrdlock)(lock, clock, until), lock, Kind::try_lock_shared,
                       MUSTER_SITE);
  const std::uint64_t deadline = virtual_deadline(*until, clock);
  return tap::locked(error_of(sync::lock_shared(id(lock), MUSTER_SITE, &deadline)), lock, Kind::try_lock_shared,
                     MUSTER_SITE);
}
MUSTER_HOOK int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  if (!controlled) return tap::locked(MUSTER_REAL(pthread_rwlock_wrlock)(lock), lock, Kind::lock, MUSTER_SITE);
  tap::locking(lock, Kind::lock, MUSTER_SITE);
  return tap::locked(error_of(sync::lock_exclusive(id(lock), MUSTER_SITE)), lock, Kind::lock, MUSTER_SITE);
}
MUSTER_HOOK int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
  if (!controlled) return tap::locked(MUSTER_REAL(pthread_rwlock_trywrlock)(lock), lock, Kind::try_lock, MUSTER_SITE);
  return tap::locked(error_of(sync::try_lock_exclusive(id(lock), MUSTER_SITE)), lock, Kind::try_lock, MUSTER_SITE);
}
MUSTER_HOOK int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* until) noexcept {
  if (!controlled)
    return tap::locked(MUSTER_REAL(pthread_rwlock_timedwrlock)(lock, until), lock, Kind::try_lock, MUSTER_SITE);
  const std::uint64_t deadline = virtual_deadline(*until, CLOCK_REALTIME);
  return tap::locked(error_of(sync::lock_exclusive(id(lock), MUSTER_SITE, &deadline)), lock, Kind::try_lock,
                     MUSTER_SITE);
}
MUSTER_HOOK int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* until) noexcept {
  if (!controlled)
    return tap::locked(MUSTER_REAL(pthread_rwlock_clockwrlock)(lock, clock, until), lock, Kind::try_lock, MUSTER_SITE);
  const std::uint64_t deadline = virtual_deadline(*until, clock);
  return tap::locked(error_of(sync::lock_exclusive(id(lock), MUSTER_SITE, &deadline)), lock, Kind::try_lock,
                     MUSTER_SITE);
}
MUSTER_HOOK int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  const Kind kind = tap::on && held_exclusively(lock) ? Kind::unlock : Kind::unlock_shared;
  return unlocked(lock, kind, MUSTER_SITE, MUSTER_REAL(pthread_rwlock_unlock),
                  [=](SiteId site) { return sync::unlock_rwlock(id(lock), site); });
}

MUSTER_HOOK int pthread_spin_init(pthread_spinlock_t* lock, int shared) noexcept {
  if (controlled) sync::init(id(lock), MUSTER_SITE);
  return MUSTER_REAL(pthread_spin_init)(lock, shared);
}
MUSTER_HOOK int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
  if (!controlled) return MUSTER_REAL(pthread_spin_destroy)(lock);
  sync::destroy(id(lock), "a spin lock", MUSTER_SITE);
  return 0;
}
MUSTER_HOOK int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  if (!controlled) return tap::locked(MUSTER_REAL(pthread_spin_lock)(lock), lock, Kind::lock, MUSTER_SITE);
  tap::locking(lock, Kind::lock, MUSTER_SITE);
  return tap::locked(error_of(sync::lock(id(lock), MutexKind::normal, MUSTER_SITE)), lock, Kind::lock, MUSTER_SITE);
}
MUSTER_HOOK int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  if (!controlled) return tap::locked(MUSTER_REAL(pthread_spin_trylock)(lock), lock, Kind::try_lock, MUSTER_SITE);
  return tap::locked(error_of(sync::try_lock(id(lock), MutexKind::normal, MUSTER_SITE)), lock, Kind::try_lock,
                     MUSTER_SITE);
}
MUSTER_HOOK int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  return unlocked(lock, Kind::unlock, MUSTER_SITE, MUSTER_REAL(pthread_spin_unlock),
                  [=](SiteId site) { return sync::unlock(id(lock), MutexKind::normal, site); });
}

// ---- C11: glibc's mtx_t is a pthread_mutex_t ----

namespace {

MutexType type_of(const mtx_t* mutex) { return muster::type_of(reinterpret_cast<const pthread_mutex_t*>(mutex)); }

int c11_result(LockResult result) {
  switch (result) {
    case LockResult::taken:
      return thrd_success;
    case LockResult::busy:
      return thrd_busy;
    case LockResult::expired:
      return thrd_timedout;
    default:
      return thrd_error;
  }
}

}  // namespace

MUSTER_HOOK int mtx_init(mtx_t* mutex, int type) {
  if (controlled) sync::init(id(mutex), MUSTER_SITE);
  return MUSTER_REAL(mtx_init)(mutex, type);
}
MUSTER_HOOK void mtx_destroy(mtx_t* mutex) {
  if (!controlled) return MUSTER_REAL(mtx_destroy)(mutex);
  sync::destroy(id(mutex), "a mutex", MUSTER_SITE);
}
MUSTER_HOOK int mtx_lock(mtx_t* mutex) {
  if (!controlled) return tap::locked(MUSTER_REAL(mtx_lock)(mutex), mutex, Kind::lock, MUSTER_SITE);
  tap::locking(mutex, Kind::lock, MUSTER_SITE);
  return tap::locked(c11_result(sync::lock(id(mutex), type_of(mutex), MUSTER_SITE)), mutex, Kind::lock, MUSTER_SITE);
}
MUSTER_HOOK int mtx_timedlock(mtx_t* mutex, const timespec* until) {
  if (!controlled) return tap::locked(MUSTER_REAL(mtx_timedlock)(mutex, until), mutex, Kind::try_lock, MUSTER_SITE);
  const std::uint64_t deadline = virtual_deadline(*until, CLOCK_REALTIME);
  return tap::locked(c11_result(sync::lock(id(mutex), type_of(mutex), MUSTER_SITE, &deadline)), mutex, Kind::try_lock,
                     MUSTER_SITE);
}
MUSTER_HOOK int mtx_trylock(mtx_t* mutex) {
  if (!controlled) return tap::locked(MUSTER_REAL(mtx_trylock)(mutex), mutex, Kind::try_lock, MUSTER_SITE);
  return tap::locked(c11_result(sync::try_lock(id(mutex), type_of(mutex), MUSTER_SITE)), mutex, Kind::try_lock,
                     MUSTER_SITE);
}
MUSTER_HOOK int mtx_unlock(mtx_t* mutex) {
  const SiteId site = MUSTER_SITE;
  const int error = unlocked(mutex, Kind::unlock, site, MUSTER_REAL(mtx_unlock),
                             [=](SiteId at) { return sync::unlock(id(mutex), type_of(mutex), at); });
  return error == 0 ? thrd_success : thrd_error;
}

// ---- streams: what a program locks by name; libc's own use of the same lock never blocks, since no thread is switched
// away inside it ----

MUSTER_HOOK void flockfile(FILE* stream) noexcept {
  if (!controlled) return MUSTER_REAL(flockfile)(stream);
  sync::lock(id(stream), MutexKind::recursive, MUSTER_SITE);
}
MUSTER_HOOK int ftrylockfile(FILE* stream) noexcept {
  if (!controlled) return MUSTER_REAL(ftrylockfile)(stream);
  return sync::try_lock(id(stream), MutexKind::recursive, MUSTER_SITE) == LockResult::taken ? 0 : 1;
}
MUSTER_HOOK void funlockfile(FILE* stream) noexcept {
  if (!controlled) return MUSTER_REAL(funlockfile)(stream);
  sync::unlock(id(stream), MutexKind::recursive, MUSTER_SITE);
}

}  // namespace muster
