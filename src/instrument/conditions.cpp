// Condition variables.

#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "instrument/hook.hpp"
#include "instrument/locks.hpp"
#include "instrument/tap.hpp"
#include "instrument/time.hpp"

namespace muster {
namespace {

using sync::LockResult;
using trace::Kind;

clockid_t clock_of(const pthread_cond_t* condition) {
  constexpr unsigned monotonic = 2;  // where glibc keeps the attribute
  return condition->__data.__wrefs & monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

int controlled_wait(pthread_cond_t* condition, pthread_mutex_t* mutex, SiteId site,
                    const std::uint64_t* deadline = nullptr) {
  LockResult relocked = LockResult::taken;
  const bool notified = sync::wait(id(condition), id(mutex), type_of(mutex), site, deadline, &relocked);
  return relocked == LockResult::taken && !notified ? ETIMEDOUT : error_of(relocked);
}

int wait_until(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec& until, SiteId site) {
  const std::uint64_t deadline = virtual_deadline(until, clock);
  return controlled_wait(condition, mutex, site, &deadline);
}

/// C11's types are those of POSIX by other names.
pthread_cond_t* posix(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }
pthread_mutex_t* posix(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }

/// A wait releases its mutex, is woken or expires, and takes the mutex again.
template <class Wait>
int waited(pthread_cond_t* condition, pthread_mutex_t* mutex, SiteId site, Wait wait) {
  if (!tap::on) [[likely]]
    return wait();
  tap::event(Kind::unlock, mutex, site);
  tap::approach_lock(Kind::lock, mutex, site);
  const int error = wait();
  if (error == 0) tap::event(Kind::wake, condition, site);
  tap::event(Kind::lock, mutex, site);
  return error;
}

}  // namespace

MUSTER_HOOK int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) noexcept {
  if (controlled) sync::init(id(condition), MUSTER_SITE);
  return MUSTER_REAL(pthread_cond_init)(condition, attributes);
}
MUSTER_HOOK int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
  if (!controlled) return MUSTER_REAL(pthread_cond_destroy)(condition);
  sync::destroy(id(condition), "a condition variable", MUSTER_SITE);
  return 0;
}
MUSTER_HOOK int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  const SiteId site = MUSTER_SITE;
  return waited(condition, mutex, site, [=] {
    if (!controlled) return MUSTER_REAL(pthread_cond_wait)(condition, mutex);
    return controlled_wait(condition, mutex, site);
  });
}
MUSTER_HOOK int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
  const SiteId site = MUSTER_SITE;
  return waited(condition, mutex, site, [=] {
    if (!controlled) return MUSTER_REAL(pthread_cond_timedwait)(condition, mutex, until);
    return wait_until(condition, mutex, clock_of(condition), *until, site);
  });
}
MUSTER_HOOK int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                       const timespec* until) {
  const SiteId site = MUSTER_SITE;
  return waited(condition, mutex, site, [=] {
    if (!controlled) return MUSTER_REAL(pthread_cond_clockwait)(condition, mutex, clock, until);
    return wait_until(condition, mutex, clock, *until, site);
  });
}
MUSTER_HOOK int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  const SiteId site = MUSTER_SITE;
  return tap::told_around(Kind::notify, condition, site, [=] {
    if (!controlled) return MUSTER_REAL(pthread_cond_signal)(condition);
    sync::notify_one(id(condition), site);
    return 0;
  });
}
MUSTER_HOOK int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  const SiteId site = MUSTER_SITE;
  return tap::told_around(Kind::notify, condition, site, [=] {
    if (!controlled) return MUSTER_REAL(pthread_cond_broadcast)(condition);
    sync::notify_all(id(condition), site);
    return 0;
  });
}

// C11: glibc's cnd_t is a pthread_cond_t on the wall clock, its mtx_t a pthread_mutex_t. <threads.h> declares nothing
// noexcept, and clang++ insists on saying the same.
MUSTER_HOOK int cnd_init(cnd_t* condition) {
  if (controlled) sync::init(id(condition), MUSTER_SITE);
  return MUSTER_REAL(cnd_init)(condition);
}
MUSTER_HOOK void cnd_destroy(cnd_t* condition) {
  if (!controlled) return MUSTER_REAL(cnd_destroy)(condition);
  sync::destroy(id(condition), "a condition variable", MUSTER_SITE);
}
MUSTER_HOOK int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  const SiteId site = MUSTER_SITE;
  return waited(posix(condition), posix(mutex), site, [=]() -> int {
    if (!controlled) return MUSTER_REAL(cnd_wait)(condition, mutex);
    return controlled_wait(posix(condition), posix(mutex), site) == 0 ? thrd_success : thrd_error;
  });
}
MUSTER_HOOK int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* until) {
  const SiteId site = MUSTER_SITE;
  return waited(posix(condition), posix(mutex), site, [=]() -> int {
    if (!controlled) return MUSTER_REAL(cnd_timedwait)(condition, mutex, until);
    const int error = wait_until(posix(condition), posix(mutex), CLOCK_REALTIME, *until, site);
    return error == 0 ? thrd_success : error == ETIMEDOUT ? thrd_timedout : thrd_error;
  });
}
MUSTER_HOOK int cnd_signal(cnd_t* condition) {
  const SiteId site = MUSTER_SITE;
  return tap::told_around(Kind::notify, condition, site, [=]() -> int {
    if (!controlled) return MUSTER_REAL(cnd_signal)(condition);
    sync::notify_one(id(condition), site);
    return thrd_success;
  });
}
MUSTER_HOOK int cnd_broadcast(cnd_t* condition) {
  const SiteId site = MUSTER_SITE;
  return tap::told_around(Kind::notify, condition, site, [=]() -> int {
    if (!controlled) return MUSTER_REAL(cnd_broadcast)(condition);
    sync::notify_all(id(condition), site);
    return thrd_success;
  });
}

}  // namespace muster
