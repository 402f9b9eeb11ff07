// abseil's locks, as Debian compiles them: their state is in atomics that nobody watches, and in memory that outlasts
// an execution. They are made of Muster's own instead. A mutex is a reader-writer lock whose holders can wait for
// conditions; who releases it looks, as abseil's own does, whose condition came true, and wakes those.

#include <absl/synchronization/mutex.h>
#include <absl/time/time.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "instrument/atomics.hpp"
#include "instrument/hook.hpp"
#include "instrument/tap.hpp"
#include "instrument/time.hpp"

// The names of these functions in the library, with the inline namespace that Debian gave it.
#define ABSEIL(name) asm("_ZN4absl7debian3" name)
#define ABSEIL_CONST(name) asm("_ZNK4absl7debian3" name)

namespace muster {
namespace {

using absl::Condition;
using sync::LockResult;
using trace::Kind;

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// Those who wait for a condition of a mutex do so beside those who wait for the mutex.
ObjectId conditions_of(const void* mutex) { return id(mutex) + 4; }

/// What `Condition::Eval` does; programs without abseil do not have that function.
bool holds(const Condition& condition) {
  bool (*evaluate)(const Condition*);
  std::memcpy(&evaluate, &condition, sizeof evaluate);
  return !evaluate || evaluate(&condition);
}

/// The virtual time of a deadline; nothing if it never comes.
using Deadline = std::optional<std::uint64_t>;

std::uint64_t nanoseconds_of(absl::Duration duration) {
  constexpr std::uint32_t ticks_per_nanosecond = 4;
  constexpr std::int64_t long_enough = std::int64_t{1} << 32;  // seconds: more would not fit
  const std::int64_t seconds = std::min(absl::time_internal::GetRepHi(duration), long_enough);
  if (seconds < 0) return 0;
  return static_cast<std::uint64_t>(seconds) * 1'000'000'000 +
         absl::time_internal::GetRepLo(duration) / ticks_per_nanosecond;
}

Deadline deadline_in(absl::Duration timeout) {
  if (timeout == absl::InfiniteDuration()) return std::nullopt;
  return engine->time().now() + nanoseconds_of(timeout);
}

Deadline deadline_at(absl::Time when) {
  if (when == absl::InfiniteFuture()) return std::nullopt;
  const std::uint64_t time = nanoseconds_of(absl::time_internal::ToUnixDuration(when));
  return virtual_deadline({static_cast<time_t>(time / 1'000'000'000), static_cast<long>(time % 1'000'000'000)},
                          CLOCK_REALTIME);
}

const std::uint64_t* pointer_to(const Deadline& deadline) { return deadline ? &*deadline : nullptr; }

/// Wakes those whose condition is true now: the running thread holds the mutex, and is about to release it.
void wake_whose_condition_holds(const void* mutex) {
  const ObjectId queue = conditions_of(mutex);
  for (std::uint64_t waiters = sync::waiting(queue); waiters; waiters &= waiters - 1) {
    const auto id = static_cast<ThreadId>(std::countr_zero(waiters));
    const Thread& waiter = engine->thread(id);
    if (holds(*reinterpret_cast<const Condition*>(waiter.blocked_on))) sync::wake_waiter(queue, id);
  }
}

void lock(const void* mutex, bool shared, SiteId site) {
  const LockResult result = shared ? sync::lock_shared(id(mutex), site) : sync::lock_exclusive(id(mutex), site);
  if (result == LockResult::deadlock)
    engine->fatal(IncidentKind::abort, site, "an absl::Mutex is locked by the thread that holds it");
  tap::tell(shared ? Kind::lock_shared : Kind::lock, mutex, site);
}

void unlock(const void* mutex, SiteId site) {
  wake_whose_condition_holds(mutex);
  const bool shared = sync::owner(id(mutex)) != engine->current().id;
  sync::unlock_rwlock(id(mutex), site);
  tap::tell(shared ? Kind::unlock_shared : Kind::unlock, mutex, site);
}

/// The running thread holds the mutex: waits until the condition is true. False if the deadline came first.
bool await(const void* mutex, const Condition& condition, const Deadline& deadline, SiteId site) {
  bool in_time = true;
  while (!holds(condition) && in_time) {
    wake_whose_condition_holds(mutex);
    in_time = sync::wait_released(conditions_of(mutex), id(mutex), id(&condition), site, pointer_to(deadline));
  }
  return in_time || holds(condition);
}

/// True where the condition was met in time; the mutex is held in any case.
bool lock_when(const void* mutex, const Condition& condition, bool shared, const Deadline& deadline, SiteId site) {
  lock(mutex, shared, site);
  return await(mutex, condition, deadline, site);
}

bool wait(const void* variable, const void* mutex, const Deadline& deadline, SiteId site) {
  wake_whose_condition_holds(mutex);
  return !sync::wait_released(id(variable), id(mutex), id(variable), site, pointer_to(deadline));
}

}  // namespace

// ---- absl::Mutex ----

MUSTER_HOOK void absl_mutex_lock(void* mutex) ABSEIL("5Mutex4LockEv");
MUSTER_HOOK void absl_mutex_lock(void* mutex) {
  if (!controlled) return real<decltype(absl_mutex_lock)>("_ZN4absl7debian35Mutex4LockEv")(mutex);
  lock(mutex, false, MUSTER_SITE);
}
MUSTER_HOOK void absl_mutex_unlock(void* mutex) ABSEIL("5Mutex6UnlockEv");
MUSTER_HOOK void absl_mutex_unlock(void* mutex) {
  if (!controlled) return real<decltype(absl_mutex_unlock)>("_ZN4absl7debian35Mutex6UnlockEv")(mutex);
  unlock(mutex, MUSTER_SITE);
}
MUSTER_HOOK bool absl_mutex_try_lock(void* mutex) ABSEIL("5Mutex7TryLockEv");
MUSTER_HOOK bool absl_mutex_try_lock(void* mutex) {
  if (!controlled) return real<decltype(absl_mutex_try_lock)>("_ZN4absl7debian35Mutex7TryLockEv")(mutex);
  return sync::try_lock_exclusive(id(mutex), MUSTER_SITE) == LockResult::taken;
}
MUSTER_HOOK void absl_mutex_reader_lock(void* mutex) ABSEIL("5Mutex10ReaderLockEv");
MUSTER_HOOK void absl_mutex_reader_lock(void* mutex) {
  if (!controlled) return real<decltype(absl_mutex_reader_lock)>("_ZN4absl7debian35Mutex10ReaderLockEv")(mutex);
  lock(mutex, true, MUSTER_SITE);
}
MUSTER_HOOK void absl_mutex_reader_unlock(void* mutex) ABSEIL("5Mutex12ReaderUnlockEv");
MUSTER_HOOK void absl_mutex_reader_unlock(void* mutex) {
  if (!controlled) return real<decltype(absl_mutex_reader_unlock)>("_ZN4absl7debian35Mutex12ReaderUnlockEv")(mutex);
  unlock(mutex, MUSTER_SITE);
}
MUSTER_HOOK bool absl_mutex_reader_try_lock(void* mutex) ABSEIL("5Mutex13ReaderTryLockEv");
MUSTER_HOOK bool absl_mutex_reader_try_lock(void* mutex) {
  if (!controlled) return real<decltype(absl_mutex_reader_try_lock)>("_ZN4absl7debian35Mutex13ReaderTryLockEv")(mutex);
  return sync::try_lock_shared(id(mutex), MUSTER_SITE) == LockResult::taken;
}
MUSTER_HOOK void absl_mutex_await(void* mutex, const Condition& condition) ABSEIL("5Mutex5AwaitERKNS0_9ConditionE");
MUSTER_HOOK void absl_mutex_await(void* mutex, const Condition& condition) {
  if (!controlled)
    return real<decltype(absl_mutex_await)>("_ZN4absl7debian35Mutex5AwaitERKNS0_9ConditionE")(mutex, condition);
  await(mutex, condition, std::nullopt, MUSTER_SITE);
}
MUSTER_HOOK bool absl_mutex_await_in(void* mutex, const Condition& condition, absl::Duration timeout)
    ABSEIL("5Mutex16AwaitWithTimeoutERKNS0_9ConditionENS0_8DurationE");
MUSTER_HOOK bool absl_mutex_await_in(void* mutex, const Condition& condition, absl::Duration timeout) {
  if (!controlled)
    return real<decltype(absl_mutex_await_in)>(
        "_ZN4absl7debian35Mutex16AwaitWithTimeoutERKNS0_9ConditionENS0_8DurationE")(mutex, condition, timeout);
  return await(mutex, condition, deadline_in(timeout), MUSTER_SITE);
}
MUSTER_HOOK bool absl_mutex_await_until(void* mutex, const Condition& condition, absl::Time when)
    ABSEIL("5Mutex17AwaitWithDeadlineERKNS0_9ConditionENS0_4TimeE");
MUSTER_HOOK bool absl_mutex_await_until(void* mutex, const Condition& condition, absl::Time when) {
  if (!controlled)
    return real<decltype(absl_mutex_await_until)>(
        "_ZN4absl7debian35Mutex17AwaitWithDeadlineERKNS0_9ConditionENS0_4TimeE")(mutex, condition, when);
  return await(mutex, condition, deadline_at(when), MUSTER_SITE);
}
MUSTER_HOOK void absl_mutex_lock_when(void* mutex, const Condition& condition)
    ABSEIL("5Mutex8LockWhenERKNS0_9ConditionE");
MUSTER_HOOK void absl_mutex_lock_when(void* mutex, const Condition& condition) {
  if (!controlled)
    return real<decltype(absl_mutex_lock_when)>("_ZN4absl7debian35Mutex8LockWhenERKNS0_9ConditionE")(mutex, condition);
  lock_when(mutex, condition, false, std::nullopt, MUSTER_SITE);
}
MUSTER_HOOK bool absl_mutex_lock_when_in(void* mutex, const Condition& condition, absl::Duration timeout)
    ABSEIL("5Mutex19LockWhenWithTimeoutERKNS0_9ConditionENS0_8DurationE");
MUSTER_HOOK bool absl_mutex_lock_when_in(void* mutex, const Condition& condition, absl::Duration timeout) {
  if (!controlled)
    return real<decltype(absl_mutex_lock_when_in)>(
        "_ZN4absl7debian35Mutex19LockWhenWithTimeoutERKNS0_9ConditionENS0_8DurationE")(mutex, condition, timeout);
  return lock_when(mutex, condition, false, deadline_in(timeout), MUSTER_SITE);
}
MUSTER_HOOK bool absl_mutex_lock_when_until(void* mutex, const Condition& condition, absl::Time when)
    ABSEIL("5Mutex20LockWhenWithDeadlineERKNS0_9ConditionENS0_4TimeE");
MUSTER_HOOK bool absl_mutex_lock_when_until(void* mutex, const Condition& condition, absl::Time when) {
  if (!controlled)
    return real<decltype(absl_mutex_lock_when_until)>(
        "_ZN4absl7debian35Mutex20LockWhenWithDeadlineERKNS0_9ConditionENS0_4TimeE")(mutex, condition, when);
  return lock_when(mutex, condition, false, deadline_at(when), MUSTER_SITE);
}
MUSTER_HOOK void absl_mutex_reader_lock_when(void* mutex, const Condition& condition)
    ABSEIL("5Mutex14ReaderLockWhenERKNS0_9ConditionE");
MUSTER_HOOK void absl_mutex_reader_lock_when(void* mutex, const Condition& condition) {
  if (!controlled)
    return real<decltype(absl_mutex_reader_lock_when)>("_ZN4absl7debian35Mutex14ReaderLockWhenERKNS0_9ConditionE")(
        mutex, condition);
  lock_when(mutex, condition, true, std::nullopt, MUSTER_SITE);
}
MUSTER_HOOK bool absl_mutex_reader_lock_when_in(void* mutex, const Condition& condition, absl::Duration timeout)
    ABSEIL("5Mutex25ReaderLockWhenWithTimeoutERKNS0_9ConditionENS0_8DurationE");
MUSTER_HOOK bool absl_mutex_reader_lock_when_in(void* mutex, const Condition& condition, absl::Duration timeout) {
  if (!controlled)
    return real<decltype(absl_mutex_reader_lock_when_in)>(
        "_ZN4absl7debian35Mutex25ReaderLockWhenWithTimeoutERKNS0_9ConditionENS0_8DurationE")(mutex, condition, timeout);
  return lock_when(mutex, condition, true, deadline_in(timeout), MUSTER_SITE);
}
MUSTER_HOOK bool absl_mutex_reader_lock_when_until(void* mutex, const Condition& condition, absl::Time when)
    ABSEIL("5Mutex26ReaderLockWhenWithDeadlineERKNS0_9ConditionENS0_4TimeE");
MUSTER_HOOK bool absl_mutex_reader_lock_when_until(void* mutex, const Condition& condition, absl::Time when) {
  if (!controlled)
    return real<decltype(absl_mutex_reader_lock_when_until)>(
        "_ZN4absl7debian35Mutex26ReaderLockWhenWithDeadlineERKNS0_9ConditionENS0_4TimeE")(mutex, condition, when);
  return lock_when(mutex, condition, true, deadline_at(when), MUSTER_SITE);
}
MUSTER_HOOK void absl_mutex_destroy(void* mutex) ABSEIL("5MutexD1Ev");
MUSTER_HOOK void absl_mutex_destroy(void* mutex) {
  if (!controlled) return real<decltype(absl_mutex_destroy)>("_ZN4absl7debian35MutexD1Ev")(mutex);
  sync::destroy(id(mutex), "an absl::Mutex", MUSTER_SITE);
}
MUSTER_HOOK void absl_mutex_destroy_base(void* mutex) ABSEIL("5MutexD2Ev");
MUSTER_HOOK void absl_mutex_destroy_base(void* mutex) {
  if (!controlled) return real<decltype(absl_mutex_destroy_base)>("_ZN4absl7debian35MutexD2Ev")(mutex);
  sync::destroy(id(mutex), "an absl::Mutex", MUSTER_SITE);
}
MUSTER_HOOK void absl_mutex_forget(void* mutex) ABSEIL("5Mutex18ForgetDeadlockInfoEv");
MUSTER_HOOK void absl_mutex_forget(void* mutex) {
  if (!controlled) return real<decltype(absl_mutex_forget)>("_ZN4absl7debian35Mutex18ForgetDeadlockInfoEv")(mutex);
}
MUSTER_HOOK void absl_mutex_debug_log(void* mutex, const char* name) ABSEIL("5Mutex14EnableDebugLogEPKc");
MUSTER_HOOK void absl_mutex_debug_log(void* mutex, const char* name) {
  if (!controlled)
    return real<decltype(absl_mutex_debug_log)>("_ZN4absl7debian35Mutex14EnableDebugLogEPKc")(mutex, name);
}
MUSTER_HOOK void absl_mutex_invariant(void* mutex, void (*invariant)(void*), void* argument)
    ABSEIL("5Mutex24EnableInvariantDebuggingEPFvPvES2_");
MUSTER_HOOK void absl_mutex_invariant(void* mutex, void (*invariant)(void*), void* argument) {
  if (!controlled)
    return real<decltype(absl_mutex_invariant)>("_ZN4absl7debian35Mutex24EnableInvariantDebuggingEPFvPvES2_")(
        mutex, invariant, argument);
}
MUSTER_HOOK void absl_mutex_assert_held(const void* mutex) ABSEIL_CONST("5Mutex10AssertHeldEv");
MUSTER_HOOK void absl_mutex_assert_held(const void* mutex) {
  if (!controlled) return real<decltype(absl_mutex_assert_held)>("_ZNK4absl7debian35Mutex10AssertHeldEv")(mutex);
  if (sync::owner(id(mutex)) != engine->current().id)
    engine->fatal(IncidentKind::abort, MUSTER_SITE, "an absl::Mutex is not held that should be");
}
MUSTER_HOOK void absl_mutex_assert_not_held(const void* mutex) ABSEIL_CONST("5Mutex13AssertNotHeldEv");
MUSTER_HOOK void absl_mutex_assert_not_held(const void* mutex) {
  if (!controlled) return real<decltype(absl_mutex_assert_not_held)>("_ZNK4absl7debian35Mutex13AssertNotHeldEv")(mutex);
  if (sync::owner(id(mutex)) == engine->current().id)
    engine->fatal(IncidentKind::abort, MUSTER_SITE, "an absl::Mutex is held that should not be");
}
MUSTER_HOOK void absl_mutex_assert_reader_held(const void* mutex) ABSEIL_CONST("5Mutex16AssertReaderHeldEv");
MUSTER_HOOK void absl_mutex_assert_reader_held(const void* mutex) {
  if (!controlled)
    return real<decltype(absl_mutex_assert_reader_held)>("_ZNK4absl7debian35Mutex16AssertReaderHeldEv")(mutex);
  if (!sync::is_held(id(mutex)))
    engine->fatal(IncidentKind::abort, MUSTER_SITE, "an absl::Mutex is not held that should be");
}

// ---- absl::CondVar ----

MUSTER_HOOK void absl_condition_wait(void* variable, void* mutex) ABSEIL("7CondVar4WaitEPNS0_5MutexE");
MUSTER_HOOK void absl_condition_wait(void* variable, void* mutex) {
  if (!controlled)
    return real<decltype(absl_condition_wait)>("_ZN4absl7debian37CondVar4WaitEPNS0_5MutexE")(variable, mutex);
  wait(variable, mutex, std::nullopt, MUSTER_SITE);
}
MUSTER_HOOK bool absl_condition_wait_in(void* variable, void* mutex, absl::Duration timeout)
    ABSEIL("7CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE");
MUSTER_HOOK bool absl_condition_wait_in(void* variable, void* mutex, absl::Duration timeout) {
  if (!controlled)
    return real<decltype(absl_condition_wait_in)>(
        "_ZN4absl7debian37CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE")(variable, mutex, timeout);
  return wait(variable, mutex, deadline_in(timeout), MUSTER_SITE);
}
MUSTER_HOOK bool absl_condition_wait_until(void* variable, void* mutex, absl::Time when)
    ABSEIL("7CondVar16WaitWithDeadlineEPNS0_5MutexENS0_4TimeE");
MUSTER_HOOK bool absl_condition_wait_until(void* variable, void* mutex, absl::Time when) {
  if (!controlled)
    return real<decltype(absl_condition_wait_until)>(
        "_ZN4absl7debian37CondVar16WaitWithDeadlineEPNS0_5MutexENS0_4TimeE")(variable, mutex, when);
  return wait(variable, mutex, deadline_at(when), MUSTER_SITE);
}
MUSTER_HOOK void absl_condition_signal(void* variable) ABSEIL("7CondVar6SignalEv");
MUSTER_HOOK void absl_condition_signal(void* variable) {
  if (!controlled) return real<decltype(absl_condition_signal)>("_ZN4absl7debian37CondVar6SignalEv")(variable);
  sync::notify_one(id(variable), MUSTER_SITE);
}
MUSTER_HOOK void absl_condition_signal_all(void* variable) ABSEIL("7CondVar9SignalAllEv");
MUSTER_HOOK void absl_condition_signal_all(void* variable) {
  if (!controlled) return real<decltype(absl_condition_signal_all)>("_ZN4absl7debian37CondVar9SignalAllEv")(variable);
  sync::notify_all(id(variable), MUSTER_SITE);
}
MUSTER_HOOK void absl_condition_destroy(void* variable) ABSEIL("7CondVarD1Ev");
MUSTER_HOOK void absl_condition_destroy(void* variable) {
  if (!controlled) return real<decltype(absl_condition_destroy)>("_ZN4absl7debian37CondVarD1Ev")(variable);
  sync::destroy(id(variable), "an absl::CondVar", MUSTER_SITE);
}
MUSTER_HOOK void absl_condition_destroy_base(void* variable) ABSEIL("7CondVarD2Ev");
MUSTER_HOOK void absl_condition_destroy_base(void* variable) {
  if (!controlled) return real<decltype(absl_condition_destroy_base)>("_ZN4absl7debian37CondVarD2Ev")(variable);
  sync::destroy(id(variable), "an absl::CondVar", MUSTER_SITE);
}
MUSTER_HOOK void absl_condition_debug_log(void* variable, const char* name) ABSEIL("7CondVar14EnableDebugLogEPKc");
MUSTER_HOOK void absl_condition_debug_log(void* variable, const char* name) {
  if (!controlled)
    return real<decltype(absl_condition_debug_log)>("_ZN4absl7debian37CondVar14EnableDebugLogEPKc")(variable, name);
}

// ---- absl::Notification: a mutex, and a flag that headers read without it; absl::BlockingCounter: a mutex, and a
// count ----

namespace {

bool* notified(const void* notification) {
  return reinterpret_cast<bool*>(const_cast<char*>(static_cast<const char*>(notification)) + sizeof(absl::Mutex));
}

bool is_notified(bool* flag) { return *flag; }

bool wait_for(const void* notification, const Deadline& deadline, SiteId site) {
  bool* const flag = notified(notification);
  bool came = atomics::load(reinterpret_cast<std::uint8_t*>(flag), __ATOMIC_ACQUIRE, site) != 0;
  if (came) return true;
  came = lock_when(notification, Condition(is_notified, flag), false, deadline, site);
  unlock(notification, site);
  return came;
}

}  // namespace

MUSTER_HOOK void absl_notify(void* notification) ABSEIL("12Notification6NotifyEv");
MUSTER_HOOK void absl_notify(void* notification) {
  if (!controlled) return real<decltype(absl_notify)>("_ZN4absl7debian312Notification6NotifyEv")(notification);
  const SiteId site = MUSTER_SITE;
  lock(notification, false, site);
  atomics::store(reinterpret_cast<std::uint8_t*>(notified(notification)), std::uint8_t{1}, __ATOMIC_RELEASE, site);
  unlock(notification, site);
}
MUSTER_HOOK void absl_wait_for(const void* notification) ABSEIL_CONST("12Notification19WaitForNotificationEv");
MUSTER_HOOK void absl_wait_for(const void* notification) {
  if (!controlled)
    return real<decltype(absl_wait_for)>("_ZNK4absl7debian312Notification19WaitForNotificationEv")(notification);
  wait_for(notification, std::nullopt, MUSTER_SITE);
}
MUSTER_HOOK bool absl_wait_for_in(const void* notification, absl::Duration timeout)
    ABSEIL_CONST("12Notification30WaitForNotificationWithTimeoutENS0_8DurationE");
MUSTER_HOOK bool absl_wait_for_in(const void* notification, absl::Duration timeout) {
  if (!controlled)
    return real<decltype(absl_wait_for_in)>(
        "_ZNK4absl7debian312Notification30WaitForNotificationWithTimeoutENS0_8DurationE")(notification, timeout);
  return wait_for(notification, deadline_in(timeout), MUSTER_SITE);
}
MUSTER_HOOK bool absl_wait_for_until(const void* notification, absl::Time when)
    ABSEIL_CONST("12Notification31WaitForNotificationWithDeadlineENS0_4TimeE");
MUSTER_HOOK bool absl_wait_for_until(const void* notification, absl::Time when) {
  if (!controlled)
    return real<decltype(absl_wait_for_until)>(
        "_ZNK4absl7debian312Notification31WaitForNotificationWithDeadlineENS0_4TimeE")(notification, when);
  return wait_for(notification, deadline_at(when), MUSTER_SITE);
}

MUSTER_HOOK bool absl_count_down(void* counter) ABSEIL("15BlockingCounter14DecrementCountEv");
MUSTER_HOOK bool absl_count_down(void* counter) {
  const auto real_count_down = real<decltype(absl_count_down)>("_ZN4absl7debian315BlockingCounter14DecrementCountEv");
  if (!controlled) return real_count_down(counter);
  // Who counts down hands what it did to whoever comes last, and that one hands all of it to those who wait.
  auto* const count = static_cast<std::uint32_t*>(counter) + sizeof(absl::Mutex) / sizeof(std::uint32_t);
  atomics::update(count, __ATOMIC_ACQ_REL, MUSTER_SITE, [](std::uint32_t left) { return left; });
  return real_count_down(counter);
}

}  // namespace muster
