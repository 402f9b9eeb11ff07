// Condition variables, semaphores, barriers, once, function-local statics, and the futex that C++20's waits end in.

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include <climits>
#include <cstdarg>
#include <utility>

#include "instrument/hook.hpp"
#include "instrument/modules.hpp"
#include "instrument/tap.hpp"
#include "instrument/time.hpp"

namespace muster {
namespace {

using sync::MutexKind;
using trace::Kind;

ObjectId id(const volatile void* object) { return reinterpret_cast<ObjectId>(object); }

clockid_t clock_of(const pthread_cond_t* condition) {
  constexpr unsigned monotonic = 2;  // where glibc keeps the attribute
  return condition->__data.__wrefs & monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

int wait_until(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec& until, SiteId site) {
  const std::uint64_t deadline = virtual_deadline(until, clock);
  return sync::wait(id(condition), id(mutex), MutexKind::normal, site, &deadline) ? 0 : ETIMEDOUT;
}

/// A wait releases its mutex, is woken or expires, and takes the mutex again.
template <class Wait>
int waited(pthread_cond_t* condition, pthread_mutex_t* mutex, SiteId site, Wait wait) {
  if (!tap::on) [[likely]] return wait();
  tap::event(Kind::unlock, mutex, site);
  const int error = wait();
  if (error == 0) tap::event(Kind::wake, condition, site);
  tap::event(Kind::lock, mutex, site);
  return error;
}

/// Something that makes a wait elsewhere possible: told before it happens on real threads, afterwards under control.
template <class Act>
auto told_around(Kind kind, const volatile void* object, SiteId site, Act act) {
  if (!controlled) tap::tell(kind, object, site);
  auto result = act();
  if (controlled) tap::tell(kind, object, site);
  return result;
}

}  // namespace

// ---- condition variables ----

MUSTER_HOOK int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) noexcept {
  if (controlled) sync::mutex_init(id(condition));
  return MUSTER_REAL(pthread_cond_init)(condition, attributes);
}
MUSTER_HOOK int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
  return controlled ? 0 : MUSTER_REAL(pthread_cond_destroy)(condition);
}
MUSTER_HOOK int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  const SiteId site = MUSTER_SITE;
  return waited(condition, mutex, site, [=] {
    if (!controlled) return MUSTER_REAL(pthread_cond_wait)(condition, mutex);
    sync::wait(id(condition), id(mutex), MutexKind::normal, site);
    return 0;
  });
}
MUSTER_HOOK int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
  const SiteId site = MUSTER_SITE;
  return waited(condition, mutex, site, [=] {
    if (!controlled) return MUSTER_REAL(pthread_cond_timedwait)(condition, mutex, until);
    return wait_until(condition, mutex, clock_of(condition), *until, site);
  });
}
MUSTER_HOOK int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* until) {
  const SiteId site = MUSTER_SITE;
  return waited(condition, mutex, site, [=] {
    if (!controlled) return MUSTER_REAL(pthread_cond_clockwait)(condition, mutex, clock, until);
    return wait_until(condition, mutex, clock, *until, site);
  });
}
MUSTER_HOOK int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  const SiteId site = MUSTER_SITE;
  return told_around(Kind::notify, condition, site, [=] {
    if (!controlled) return MUSTER_REAL(pthread_cond_signal)(condition);
    sync::notify_one(id(condition), site);
    return 0;
  });
}
MUSTER_HOOK int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  const SiteId site = MUSTER_SITE;
  return told_around(Kind::notify, condition, site, [=] {
    if (!controlled) return MUSTER_REAL(pthread_cond_broadcast)(condition);
    sync::notify_all(id(condition), site);
    return 0;
  });
}

// C11: glibc's cnd_t is a pthread_cond_t on the wall clock, its mtx_t a pthread_mutex_t.
MUSTER_HOOK int cnd_init(cnd_t* condition) noexcept {
  if (controlled) sync::mutex_init(id(condition));
  return MUSTER_REAL(cnd_init)(condition);
}
MUSTER_HOOK void cnd_destroy(cnd_t* condition) noexcept {
  if (!controlled) MUSTER_REAL(cnd_destroy)(condition);
}
MUSTER_HOOK int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  const SiteId site = MUSTER_SITE;
  return waited(reinterpret_cast<pthread_cond_t*>(condition), reinterpret_cast<pthread_mutex_t*>(mutex), site, [=]() -> int {
    if (!controlled) return MUSTER_REAL(cnd_wait)(condition, mutex);
    sync::wait(id(condition), id(mutex), MutexKind::normal, site);
    return thrd_success;
  });
}
MUSTER_HOOK int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* until) {
  const SiteId site = MUSTER_SITE;
  return waited(reinterpret_cast<pthread_cond_t*>(condition), reinterpret_cast<pthread_mutex_t*>(mutex), site, [=]() -> int {
    if (!controlled) return MUSTER_REAL(cnd_timedwait)(condition, mutex, until);
    const std::uint64_t deadline = virtual_deadline(*until, CLOCK_REALTIME);
    return sync::wait(id(condition), id(mutex), MutexKind::normal, site, &deadline) ? thrd_success : thrd_timedout;
  });
}
MUSTER_HOOK int cnd_signal(cnd_t* condition) noexcept {
  const SiteId site = MUSTER_SITE;
  return told_around(Kind::notify, condition, site, [=]() -> int {
    if (!controlled) return MUSTER_REAL(cnd_signal)(condition);
    sync::notify_one(id(condition), site);
    return thrd_success;
  });
}
MUSTER_HOOK int cnd_broadcast(cnd_t* condition) noexcept {
  const SiteId site = MUSTER_SITE;
  return told_around(Kind::notify, condition, site, [=]() -> int {
    if (!controlled) return MUSTER_REAL(cnd_broadcast)(condition);
    sync::notify_all(id(condition), site);
    return thrd_success;
  });
}

// ---- semaphores ----

namespace {

int taken(int error, const sem_t* semaphore, SiteId site) {
  if (error == 0) tap::tell(Kind::await, semaphore, site);
  return error;
}

}  // namespace

MUSTER_HOOK int sem_init(sem_t* semaphore, int shared, unsigned value) noexcept {
  if (!controlled) return MUSTER_REAL(sem_init)(semaphore, shared, value);
  sync::semaphore_init(id(semaphore), value);
  return 0;
}
MUSTER_HOOK int sem_destroy(sem_t* semaphore) noexcept { return controlled ? 0 : MUSTER_REAL(sem_destroy)(semaphore); }
MUSTER_HOOK int sem_wait(sem_t* semaphore) {
  int error = 0;
  if (controlled) sync::acquire(id(semaphore), MUSTER_SITE);
  else error = MUSTER_REAL(sem_wait)(semaphore);
  return taken(error, semaphore, MUSTER_SITE);
}
MUSTER_HOOK int sem_trywait(sem_t* semaphore) noexcept {
  if (!controlled) return taken(MUSTER_REAL(sem_trywait)(semaphore), semaphore, MUSTER_SITE);
  if (sync::try_acquire(id(semaphore), MUSTER_SITE)) return taken(0, semaphore, MUSTER_SITE);
  errno = EAGAIN;
  return -1;
}
namespace {

int acquire_until(sem_t* semaphore, clockid_t clock, const timespec& until, SiteId site) {
  const std::uint64_t deadline = virtual_deadline(until, clock);
  if (sync::acquire(id(semaphore), site, &deadline)) return 0;
  errno = ETIMEDOUT;
  return -1;
}

}  // namespace

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
  return told_around(Kind::signal, semaphore, site, [=] {
    if (!controlled) return MUSTER_REAL(sem_post)(semaphore);
    sync::release(id(semaphore), site);
    return 0;
  });
}
MUSTER_HOOK int sem_getvalue(sem_t* semaphore, int* value) noexcept {
  if (!controlled) return MUSTER_REAL(sem_getvalue)(semaphore, value);
  *value = sync::semaphore_value(id(semaphore));
  return 0;
}

// ---- barriers ----

MUSTER_HOOK int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes, unsigned count) noexcept {
  if (!controlled) return MUSTER_REAL(pthread_barrier_init)(barrier, attributes, count);
  if (count == 0) return EINVAL;
  sync::barrier_init(id(barrier), count);
  return 0;
}
MUSTER_HOOK int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  return controlled ? 0 : MUSTER_REAL(pthread_barrier_destroy)(barrier);
}
MUSTER_HOOK int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  const SiteId site = MUSTER_SITE;
  tap::tell(Kind::arrive, barrier, site);
  int result = 0;
  if (!controlled) result = MUSTER_REAL(pthread_barrier_wait)(barrier);
  else if (sync::arrive_and_wait(id(barrier), site)) result = PTHREAD_BARRIER_SERIAL_THREAD;
  tap::tell(Kind::leave, barrier, site);
  return result;
}

// ---- once and function-local statics ----

// What a library that is not restored initialises once stays initialised: it happens in the first execution that comes along, all of it
// outside control, and never again.
namespace {

template <class Function>
auto outside_control(Function function) {
  struct Restore {
    bool was;
    ~Restore() { controlled = was; }
  } restore{std::exchange(controlled, false)};
  return function();
}

using Acquire = int (*)(std::uint64_t*);
using Release = void (*)(std::uint64_t*);
template <class Function>
Function real_guard(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

ThreadId lasting_guard_by = no_thread;  // who initialises a lasting static; it runs uncontrolled until the guard is released

}  // namespace

bool initialises_lasting_static();  // for control.cpp
bool initialises_lasting_static() { return lasting_guard_by != no_thread; }

namespace {

/// Under control: runs the function unless it ran, and says when it is done.
void controlled_once(ObjectId once, void (*function)(), SiteId site) {
  if (sync::once_begin(once, site)) {
    try {
      function();
    } catch (...) {
      sync::once_end(once, false);
      throw;
    }
    sync::once_end(once, true);
    tap::tell(Kind::signal, reinterpret_cast<void*>(once), site);
  }
  tap::tell(Kind::await, reinterpret_cast<void*>(once), site);
}

/// What the real pthread_once is given while events are told: it runs the function and says when it is done.
struct OnceCall {
  pthread_once_t* once;
  void (*function)();
  SiteId site;
};
thread_local const OnceCall* once_call = nullptr;

void run_once() {
  const OnceCall call = *once_call;
  call.function();
  tap::tell(Kind::signal, call.once, call.site);
}

int real_once(pthread_once_t* once, void (*function)(), SiteId site) {
  if (!tap::on || is_lasting(once)) return MUSTER_REAL(pthread_once)(once, function);
  struct Restore {
    const OnceCall* was;
    ~Restore() { once_call = was; }
  } restore{once_call};
  const OnceCall call{once, function, site};
  once_call = &call;
  const int error = MUSTER_REAL(pthread_once)(once, run_once);
  tap::tell(Kind::await, once, site);
  return error;
}

}  // namespace

MUSTER_HOOK int pthread_once(pthread_once_t* once, void (*function)()) {
  if (!controlled) return real_once(once, function, MUSTER_SITE);
  if (is_lasting(once)) return outside_control([&] { return MUSTER_REAL(pthread_once)(once, function); });
  controlled_once(id(once), function, MUSTER_SITE);
  return 0;
}
MUSTER_HOOK void call_once(once_flag* once, void (*function)()) {  // glibc's once_flag is a pthread_once_t
  if (!controlled) {
    real_once(reinterpret_cast<pthread_once_t*>(once), function, MUSTER_SITE);
  } else if (is_lasting(once)) {
    outside_control([&] { MUSTER_REAL(call_once)(once, function); });
  } else {
    controlled_once(id(once), function, MUSTER_SITE);
  }
}

namespace {

/// Those of libraries that are not restored are initialised once in the life of a process: no events that could be met again.
void tell_guard(const std::uint64_t* guard, Kind kind, SiteId site) {
  if (tap::on && !is_lasting(guard)) [[unlikely]] tap::access(guard, 1, kind, site);
}

}  // namespace

// The first byte of a guard says "initialised" to the code that the compiler inlines; the rest is ours.
MUSTER_HOOK int __cxa_guard_acquire(std::uint64_t* guard) {
  static const auto real = real_guard<Acquire>("__cxa_guard_acquire");
  if (!controlled) {
    const int mine = real(guard);
    if (mine == 0) tell_guard(guard, Kind::atomic_read, MUSTER_SITE);
    return mine;
  }
  if (is_lasting(guard)) {
    if (real(guard) == 0) return 0;
    controlled = false;
    lasting_guard_by = engine->current().id;
    return 1;
  }
  engine->access(id(guard), 1, AccessMode::read);
  if (*reinterpret_cast<const char*>(guard) != 0) return 0;
  if (sync::once_begin(id(guard), MUSTER_SITE)) return 1;
  tell_guard(guard, Kind::atomic_read, MUSTER_SITE);
  return 0;
}

namespace {

/// After a lasting static: back under control.
void after_lasting_guard(const std::uint64_t* guard) {
  if (lasting_guard_by == no_thread || !is_lasting(guard)) return;
  lasting_guard_by = no_thread;
  controlled = true;
}

}  // namespace

MUSTER_HOOK void __cxa_guard_release(std::uint64_t* guard) noexcept {
  static const auto real = real_guard<Release>("__cxa_guard_release");
  tell_guard(guard, Kind::atomic_write, MUSTER_SITE);
  if (!controlled) {
    real(guard);
    return after_lasting_guard(guard);
  }
  engine->access(id(guard), 1, AccessMode::write);
  engine->races().store(id(guard), 1, Order::release, MUSTER_SITE);
  *reinterpret_cast<char*>(guard) = 1;
  sync::once_end(id(guard), true);
}
MUSTER_HOOK void __cxa_guard_abort(std::uint64_t* guard) noexcept {
  static const auto real = real_guard<Release>("__cxa_guard_abort");
  if (!controlled) {
    real(guard);
    return after_lasting_guard(guard);
  }
  sync::once_end(id(guard), false);
}

// ---- futexes ----

namespace {

long raw_syscall(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  long result;
  asm volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  if (result < 0 && result > -4096) {
    errno = static_cast<int>(-result);
    return -1;
  }
  return result;
}

long futex(std::uint32_t* word, int operation, std::uint32_t value, const timespec* timeout, std::uint32_t* second, std::uint32_t bits, SiteId site) {
  const int command = operation & FUTEX_CMD_MASK;
  const clockid_t clock = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  switch (command) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: {
      std::uint64_t deadline = 0;
      if (timeout) deadline = command == FUTEX_WAIT ? virtual_deadline_in(*timeout) : virtual_deadline(*timeout, clock);
      const auto result = sync::futex_wait(word, value, site, timeout ? &deadline : nullptr, command == FUTEX_WAIT ? ~0u : bits);
      if (result == sync::FutexResult::woken) return 0;
      errno = result == sync::FutexResult::expired ? ETIMEDOUT : EAGAIN;
      return -1;
    }
    case FUTEX_WAKE: return sync::futex_wake(word, value, site, ~0u);
    case FUTEX_WAKE_BITSET: return sync::futex_wake(word, value, site, bits);
    case FUTEX_REQUEUE: return sync::futex_requeue(word, value, static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(timeout)), second, site);
    default: engine->fatal(IncidentKind::unsupported, site, "a futex operation other than wait, wake and requeue cannot be controlled");
  }
}

}  // namespace

MUSTER_HOOK long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (!controlled) return raw_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  switch (number) {
    case SYS_futex:
      return futex(reinterpret_cast<std::uint32_t*>(a[0]), static_cast<int>(a[1]), static_cast<std::uint32_t>(a[2]),
                   reinterpret_cast<const timespec*>(a[3]), reinterpret_cast<std::uint32_t*>(a[4]), static_cast<std::uint32_t>(a[5]), MUSTER_SITE);
    case SYS_gettid: return 1000 + engine->current().id;
    case SYS_getcpu: return getcpu(reinterpret_cast<unsigned*>(a[0]), reinterpret_cast<unsigned*>(a[1]));
    case SYS_sched_yield: engine->yield_point(EventKind::yield, MUSTER_SITE); return 0;
    case SYS_membarrier: return 0;
    case SYS_clock_gettime: return clock_gettime(static_cast<clockid_t>(a[0]), reinterpret_cast<timespec*>(a[1]));
    default: return raw_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
}

}  // namespace muster
