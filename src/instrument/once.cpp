// What is done once: pthread_once and function-local statics.

#include <pthread.h>
#include <threads.h>

#include "instrument/hook.hpp"
#include "instrument/modules.hpp"
#include "instrument/tap.hpp"

namespace muster {

using trace::Kind;

// What a library that is not restored initialises once stays initialised: it happens in the first execution that comes
// along, all of it outside control, and never again.
namespace {

template <class Function>
auto outside_control(Function function) {
  const OwnWork work;
  return function();
}

using Acquire = int (*)(std::uint64_t*);
using Release = void (*)(std::uint64_t*);
template <class Function>
Function real_guard(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

ThreadId lasting_guard_by =
    no_thread;  // who initialises a lasting static; it runs uncontrolled until the guard is released

}  // namespace

bool initialises_lasting_static();  // for control.cpp
bool initialises_lasting_static() { return lasting_guard_by != no_thread; }

namespace {

/// Under control: runs the function unless it ran, and says when it is done.
void controlled_once(pthread_once_t* once, void (*function)(), SiteId site) {
  constexpr pthread_once_t done = 2;  // as glibc writes it
  sync::adopt_once(id(once), *once == done);
  if (sync::once_begin(id(once), site)) {
    try {
      function();
    } catch (...) {
      sync::once_end(id(once), false);
      throw;
    }
    sync::once_end(id(once), true);
    *once = done;
    tap::tell(Kind::signal, once, site);
  }
  tap::tell(Kind::await, once, site);
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
  controlled_once(once, function, MUSTER_SITE);
  return 0;
}
MUSTER_HOOK void call_once(once_flag* once, void (*function)()) {  // glibc's once_flag is a pthread_once_t
  if (!controlled) {
    real_once(reinterpret_cast<pthread_once_t*>(once), function, MUSTER_SITE);
  } else if (is_lasting(once)) {
    outside_control([&] { MUSTER_REAL(call_once)(once, function); });
  } else {
    controlled_once(reinterpret_cast<pthread_once_t*>(once), function, MUSTER_SITE);
  }
}

namespace {

/// Those of libraries that are not restored are initialised once in the life of a process: no events that could be met
/// again.
void tell_guard(const std::uint64_t* guard, Kind kind, SiteId site) {
  if (tap::on && !is_lasting(guard)) [[unlikely]]
    tap::access(guard, 1, kind, site);
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
  engine->reduction().touches({.object = id(guard)});
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
  engine->reduction().touches({.object = id(guard), .mode = AccessMode::write});
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

}  // namespace muster
