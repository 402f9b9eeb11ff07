// Semaphores and barriers.

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#include "instrument/hook.hpp"
#include "instrument/tap.hpp"
#include "instrument/time.hpp"

namespace muster {
namespace {

using trace::Kind;

int taken(int error, const sem_t* semaphore, SiteId site) {
  if (error == 0) tap::tell(Kind::await, semaphore, site);
  return error;
}

/// One that was initialised before there was control says itself how much it holds.
ObjectId known(sem_t* semaphore) {
  int value = 0;
  if (!sync::knows(id(semaphore)) && MUSTER_REAL(sem_getvalue)(semaphore, &value) == 0)
    sync::adopt_semaphore(id(semaphore), static_cast<unsigned>(value));
  return id(semaphore);
}

/// The same of a barrier, which says for how many it is. So glibc keeps it.
struct RealBarrier {
  unsigned arrived, round, count;
};
ObjectId known(pthread_barrier_t* barrier) {
  if (!sync::knows(id(barrier))) sync::adopt_barrier(id(barrier), reinterpret_cast<const RealBarrier*>(barrier)->count);
  return id(barrier);
}

int acquire_until(sem_t* semaphore, clockid_t clock, const timespec& until, SiteId site) {
  const std::uint64_t deadline = virtual_deadline(until, clock);
  if (sync::acquire(known(semaphore), site, &deadline)) return 0;
  errno = ETIMEDOUT;
  return -1;
}

}  // namespace

// ---- semaphores ----

MUSTER_HOOK int sem_init(sem_t* semaphore, int shared, unsigned value) noexcept {
  if (controlled) sync::semaphore_init(id(semaphore), value, MUSTER_SITE);
  return MUSTER_REAL(sem_init)(semaphore, shared, value);
}
MUSTER_HOOK int sem_destroy(sem_t* semaphore) noexcept {
  if (!controlled) return MUSTER_REAL(sem_destroy)(semaphore);
  sync::destroy(id(semaphore), "a semaphore", MUSTER_SITE);
  return 0;
}
MUSTER_HOOK int sem_wait(sem_t* semaphore) {
  int error = 0;
  if (controlled)
    sync::acquire(known(semaphore), MUSTER_SITE);
  else
    error = MUSTER_REAL(sem_wait)(semaphore);
  return taken(error, semaphore, MUSTER_SITE);
}
MUSTER_HOOK int sem_trywait(sem_t* semaphore) noexcept {
  if (!controlled) return taken(MUSTER_REAL(sem_trywait)(semaphore), semaphore, MUSTER_SITE);
  if (sync::try_acquire(known(semaphore), MUSTER_SITE)) return taken(0, semaphore, MUSTER_SITE);
  errno = EAGAIN;
  return -1;
}

MUSTER_HOOK int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
  if (!controlled) return taken(MUSTER_REAL(sem_clockwait)(semaphore, clock, until), semaphore, MUSTER_SITE);
  return acquire_until(semaphore, clock, *until, MUSTER_SITE);
}
MUSTER_HOOK int sem_timedwait(sem_t* semaphore, const timespec* until) {
  if (!controlled) return taken(MUSTER_REAL(sem_timedwait)(semaphore, until), semaphore, MUSTER_SITE);
  return acquire_until(semaphore, CLOCK_REALTIME, *until, MUSTER_SITE);
}
MUSTER_HOOK int sem_post(sem_t* semaphore) noexcept {
  const SiteId site = MUSTER_SITE;
  return tap::told_around(Kind::signal, semaphore, site, [=] {
    if (!controlled) return MUSTER_REAL(sem_post)(semaphore);
    sync::release(known(semaphore), site);
    return 0;
  });
}
MUSTER_HOOK int sem_getvalue(sem_t* semaphore, int* value) noexcept {
  if (!controlled) return MUSTER_REAL(sem_getvalue)(semaphore, value);
  *value = sync::semaphore_value(known(semaphore), MUSTER_SITE);
  return 0;
}

// ---- barriers ----

MUSTER_HOOK int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                                     unsigned count) noexcept {
  if (controlled && count != 0) sync::barrier_init(id(barrier), count, MUSTER_SITE);
  return MUSTER_REAL(pthread_barrier_init)(barrier, attributes, count);
}
MUSTER_HOOK int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  if (!controlled) return MUSTER_REAL(pthread_barrier_destroy)(barrier);
  sync::destroy(id(barrier), "a barrier", MUSTER_SITE);
  return 0;
}
MUSTER_HOOK int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  const SiteId site = MUSTER_SITE;
  tap::tell(Kind::arrive, barrier, site);
  int result = 0;
  if (!controlled)
    result = MUSTER_REAL(pthread_barrier_wait)(barrier);
  else if (sync::arrive_and_wait(known(barrier), site))
    result = PTHREAD_BARRIER_SERIAL_THREAD;
  tap::tell(Kind::leave, barrier, site);
  return result;
}

}  // namespace muster
