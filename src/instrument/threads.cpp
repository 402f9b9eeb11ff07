// Thread life: create, join, exit, keys, destructors of thread-locals.

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <threads.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "instrument/hook.hpp"
#include "instrument/rare_states.hpp"
#include "instrument/recorded_threads.hpp"
#include "instrument/signals.hpp"
#include "instrument/tap.hpp"
#include "instrument/time.hpp"
#include "runtime/exceptions.hpp"

namespace muster {

void forget_at_exit();  // for control.cpp

namespace {

struct Destructor {
  void (*function)(void*);
  void* object;
};

struct Key {
  void (*destructor)(void*) = nullptr;
  std::uint32_t execution = 0;  // that created it; 0: before the first
  bool known = false;
};

constexpr unsigned max_keys = PTHREAD_KEYS_MAX;

std::array<std::vector<Destructor>, max_threads> thread_destructors;
std::vector<Destructor> program_destructors;
std::array<Key, max_keys> keys;
struct Value {
  const void* pointer;
  std::uint32_t execution;
};
std::array<std::array<Value, max_keys>, max_threads> key_values;
unsigned highest_key = 0;

/// Model threads run on the stacks of the arena, where their handles lie too.
ThreadId thread_of(pthread_t handle) {
  return static_cast<ThreadId>((handle - reinterpret_cast<std::uintptr_t>(Arena::stacks())) / Arena::stack_size);
}

bool is_model_thread(pthread_t handle) {
  return handle - reinterpret_cast<std::uintptr_t>(Arena::stacks()) < Arena::stack_size * max_threads &&
         thread_of(handle) < engine->thread_count();
}

/// Asked of another thread, it may be one turn of a loop that waits for that.
bool has_ended(ThreadId id, SiteId site) {
  engine->reading_point(EventKind::join, id, site, 0);
  engine->reduction().touches({.object = objects::thread(id)});
  return engine->thread(id).status == Thread::Status::finished;
}

void run_last_first(std::vector<Destructor>& destructors) {
  while (!destructors.empty()) {
    const Destructor last = destructors.back();
    destructors.pop_back();
    last.function(last.object);
  }
}

void run_key_destructors(ThreadId me) {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool any = false;
    for (unsigned i = 0; i < highest_key; ++i) {
      Value& value = key_values[me][i];
      if (!keys[i].known || !keys[i].destructor || value.execution != engine->execution_number() || !value.pointer)
        continue;
      const void* pointer = std::exchange(value.pointer, nullptr);
      keys[i].destructor(const_cast<void*>(pointer));
      any = true;
    }
    if (!any) return;
  }
}

/// In the order of a real thread's end: thread-locals, last made first destroyed, then keys. The program's statics go
/// last, with thread 0.
void run_at_exit() {
  const ThreadId me = engine->current().id;
  run_last_first(thread_destructors[me]);
  run_key_destructors(me);
  if (me == 0) run_last_first(program_destructors);
}

/// There is something to do when threads end.
void expect_exit() {
  begin_use(RareUse::at_exit);
  thread_exit_handlers = run_at_exit;
}

}  // namespace

void forget_at_exit() {
  thread_exit_handlers = nullptr;
  for (auto& destructors : thread_destructors) destructors.clear();
  program_destructors.clear();
  for (unsigned i = 0; i < highest_key; ++i) {
    if (keys[i].known && keys[i].execution != 0) {
      MUSTER_REAL(pthread_key_delete)(i);
      keys[i].known = false;
    }
  }
}

MUSTER_HOOK int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                               void* argument) noexcept {
  if (!controlled) {
    if (tap::on) return create_recorded_thread(thread, attributes, start, argument, MUSTER_SITE);
    return MUSTER_REAL(pthread_create)(thread, attributes, start, argument);
  }
  Thread& child = engine->spawn(start, argument, MUSTER_SITE);
  inherit_blocked_signals(child.id);
  tap::tell(trace::Kind::fork, reinterpret_cast<const void*>(std::uintptr_t{child.id}), MUSTER_SITE);
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes) pthread_attr_getdetachstate(attributes, &state);
  if (state == PTHREAD_CREATE_DETACHED) engine->blocking().detach(child.id);
  engine->make_internal(child);  // the threads of a test's columns are not made here
  *thread = child.context->handle();
  return 0;
}

namespace {

int join_until(pthread_t thread, void** result, const std::uint64_t* deadline, SiteId site) {
  if (!is_model_thread(thread)) return ESRCH;
  const ThreadId id = thread_of(thread);
  if (id == engine->current().id) return EDEADLK;
  if (!engine->blocking().can_be_joined(id)) return EINVAL;
  if (!sync::join(id, site, deadline)) return ETIMEDOUT;
  tap::tell(trace::Kind::join, reinterpret_cast<const void*>(std::uintptr_t{id}), site);
  if (result) *result = engine->thread(id).result;
  return 0;
}

}  // namespace

MUSTER_HOOK int pthread_join(pthread_t thread, void** result) {
  if (!controlled) return joined_recorded_thread(MUSTER_REAL(pthread_join)(thread, result), thread, MUSTER_SITE);
  return join_until(thread, result, nullptr, MUSTER_SITE);
}
MUSTER_HOOK int pthread_timedjoin_np(pthread_t thread, void** result, const timespec* until) {
  if (!controlled)
    return joined_recorded_thread(MUSTER_REAL(pthread_timedjoin_np)(thread, result, until), thread, MUSTER_SITE);
  const std::uint64_t deadline = virtual_deadline(*until, CLOCK_REALTIME);
  return join_until(thread, result, &deadline, MUSTER_SITE);
}
MUSTER_HOOK int pthread_clockjoin_np(pthread_t thread, void** result, clockid_t clock, const timespec* until) {
  if (!controlled)
    return joined_recorded_thread(MUSTER_REAL(pthread_clockjoin_np)(thread, result, clock, until), thread, MUSTER_SITE);
  const std::uint64_t deadline = virtual_deadline(*until, clock);
  return join_until(thread, result, &deadline, MUSTER_SITE);
}
MUSTER_HOOK int pthread_tryjoin_np(pthread_t thread, void** result) noexcept {
  if (!controlled) return joined_recorded_thread(MUSTER_REAL(pthread_tryjoin_np)(thread, result), thread, MUSTER_SITE);
  if (is_model_thread(thread) && !has_ended(thread_of(thread), MUSTER_SITE)) return EBUSY;
  return join_until(thread, result, nullptr, MUSTER_SITE);
}
MUSTER_HOOK int pthread_detach(pthread_t thread) noexcept {
  if (!controlled || !is_model_thread(thread)) return MUSTER_REAL(pthread_detach)(thread);
  engine->blocking().detach(thread_of(thread));
  return 0;
}
MUSTER_HOOK void pthread_exit(void* result) {
  if (controlled) throw ThreadExit{result};
  MUSTER_REAL(pthread_exit)(result);
  __builtin_unreachable();
}
MUSTER_HOOK int pthread_cancel(pthread_t thread) {
  if (!controlled) return MUSTER_REAL(pthread_cancel)(thread);
  engine->fatal(IncidentKind::unsupported, MUSTER_SITE,
                "pthread_cancel cannot be controlled: use a stop flag or std::stop_token");
}
MUSTER_HOOK int pthread_kill(pthread_t thread, int signal) noexcept {
  if (!controlled || !is_model_thread(thread)) return MUSTER_REAL(pthread_kill)(thread, signal);
  if (signal == 0) return has_ended(thread_of(thread), MUSTER_SITE) ? ESRCH : 0;
  if (thread_of(thread) == engine->current().id) return send_to_self(signal, MUSTER_SITE);
  engine->fatal(IncidentKind::unsupported, MUSTER_SITE,
                "pthread_kill: signals between model threads cannot be controlled");
}

// ---- C11: a thrd_t is a pthread_t, and a start function answers an int where POSIX answers a pointer ----

MUSTER_HOOK int thrd_create(thrd_t* thread, thrd_start_t start, void* argument) {
  const auto posix_start = reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(start));
  if (!controlled) {
    if (tap::on)
      return create_recorded_thread(thread, nullptr, posix_start, argument, MUSTER_SITE) == 0 ? thrd_success
                                                                                              : thrd_error;
    return MUSTER_REAL(thrd_create)(thread, start, argument);
  }
  Thread& child = engine->spawn(posix_start, argument, MUSTER_SITE);
  inherit_blocked_signals(child.id);
  tap::tell(trace::Kind::fork, reinterpret_cast<const void*>(std::uintptr_t{child.id}), MUSTER_SITE);
  engine->make_internal(child);
  *thread = child.context->handle();
  return thrd_success;
}
MUSTER_HOOK int thrd_join(thrd_t thread, int* result) {
  if (!controlled) return joined_recorded_thread(MUSTER_REAL(thrd_join)(thread, result), thread, MUSTER_SITE);
  void* answer = nullptr;
  if (join_until(thread, &answer, nullptr, MUSTER_SITE) != 0) return thrd_error;
  if (result) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(answer));
  return thrd_success;
}
MUSTER_HOOK int thrd_detach(thrd_t thread) { return pthread_detach(thread) == 0 ? thrd_success : thrd_error; }
MUSTER_HOOK void thrd_exit(int result) noexcept(false) {
  if (controlled) throw ThreadExit{reinterpret_cast<void*>(static_cast<std::intptr_t>(result))};
  MUSTER_REAL(thrd_exit)(result);
  __builtin_unreachable();
}

// ---- keys ----

namespace {

int create_key(pthread_key_t* key, void (*destructor)(void*)) {
  const int error = MUSTER_REAL(pthread_key_create)(key, nullptr);
  if (error != 0 || *key >= max_keys) return error;
  expect_exit();
  keys[*key] = {destructor, controlled ? engine->execution_number() : 0, true};
  highest_key = std::max(highest_key, *key + 1);
  return 0;
}

}  // namespace

MUSTER_HOOK int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  if (controlled) return create_key(key, destructor);
  // Keys made before control serve real threads too: their destructors stay known to both.
  const int error = MUSTER_REAL(pthread_key_create)(key, destructor);
  if (error == 0 && *key < max_keys) {
    keys[*key] = {destructor, 0, true};
    highest_key = std::max(highest_key, *key + 1);
  }
  return error;
}
MUSTER_HOOK int __pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  return pthread_key_create(key, destructor);
}
MUSTER_HOOK int pthread_key_delete(pthread_key_t key) noexcept {
  if (key < max_keys) keys[key].known = false;
  return MUSTER_REAL(pthread_key_delete)(key);
}
MUSTER_HOOK void* pthread_getspecific(pthread_key_t key) noexcept {
  if (!controlled || key >= max_keys) return MUSTER_REAL(pthread_getspecific)(key);
  const Value& value = key_values[engine->current().id][key];
  return value.execution == engine->execution_number() ? const_cast<void*>(value.pointer) : nullptr;
}
MUSTER_HOOK int pthread_setspecific(pthread_key_t key, const void* pointer) noexcept {
  if (!controlled || key >= max_keys) return MUSTER_REAL(pthread_setspecific)(key, pointer);
  if (!keys[key].known) return EINVAL;
  expect_exit();
  key_values[engine->current().id][key] = {pointer, engine->execution_number()};
  return 0;
}

MUSTER_HOOK int tss_create(tss_t* key, tss_dtor_t destructor) {
  return pthread_key_create(key, destructor) == 0 ? thrd_success : thrd_error;
}
MUSTER_HOOK void tss_delete(tss_t key) { pthread_key_delete(key); }
MUSTER_HOOK void* tss_get(tss_t key) { return pthread_getspecific(key); }
MUSTER_HOOK int tss_set(tss_t key, void* value) {
  return pthread_setspecific(key, value) == 0 ? thrd_success : thrd_error;
}

// ---- destructors of thread-locals and statics ----

MUSTER_HOOK int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* dso) noexcept;
MUSTER_HOOK int __cxa_thread_atexit(void (*function)(void*), void* object, void* dso) noexcept {
  if (!controlled) return __cxa_thread_atexit_impl(function, object, dso);
  expect_exit();
  const OwnWork work;
  thread_destructors[engine->current().id].push_back({function, object});
  return 0;
}
MUSTER_HOOK int __cxa_atexit(void (*function)(void*), void* object, void* dso) noexcept;
namespace {
using AtExit = int (*)(void (*)(void*), void*, void*);
AtExit real_atexit() {
  static AtExit function = reinterpret_cast<AtExit>(dlsym(RTLD_NEXT, "__cxa_atexit"));
  return function;
}
}  // namespace
MUSTER_HOOK int __cxa_atexit(void (*function)(void*), void* object, void* dso) noexcept {
  if (!controlled) return real_atexit()(function, object, dso);
  expect_exit();
  const OwnWork work;
  program_destructors.push_back({function, object});
  return 0;
}

}  // namespace muster
