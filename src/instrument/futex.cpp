// The futex that C++20's waits end in, and other system calls made by name.

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>

#include "instrument/hook.hpp"
#include "instrument/process_id.hpp"
#include "instrument/time.hpp"

namespace muster {

namespace {

long raw_syscall(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  if (result < 0 && result > -4096) {
    errno = static_cast<int>(-result);
    return -1;
  }
  return result;
}

long futex(std::uint32_t* word, int operation, std::uint32_t value, const timespec* timeout, std::uint32_t* second,
           std::uint32_t bits, SiteId site) {
  const int command = operation & FUTEX_CMD_MASK;
  const clockid_t clock = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  switch (command) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: {
      std::uint64_t deadline = 0;
      if (timeout) deadline = command == FUTEX_WAIT ? virtual_deadline_in(*timeout) : virtual_deadline(*timeout, clock);
      const auto result =
          sync::futex_wait(word, value, site, timeout ? &deadline : nullptr, command == FUTEX_WAIT ? ~0u : bits);
      if (result == sync::FutexResult::woken) return 0;
      errno = result == sync::FutexResult::expired ? ETIMEDOUT : EAGAIN;
      return -1;
    }
    case FUTEX_WAKE:
      return sync::futex_wake(word, value, site, ~0u);
    case FUTEX_WAKE_BITSET:
      return sync::futex_wake(word, value, site, bits);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE: {
      const auto most = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(timeout));
      const auto done =
          sync::futex_requeue(word, value, most, second, site, command == FUTEX_CMP_REQUEUE ? &bits : nullptr);
      if (done) return *done;
      errno = EAGAIN;
      return -1;
    }
    default:
      engine->fatal(IncidentKind::unsupported, site,
                    "a futex operation other than wait, wake and requeue cannot be controlled");
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
                   reinterpret_cast<const timespec*>(a[3]), reinterpret_cast<std::uint32_t*>(a[4]),
                   static_cast<std::uint32_t>(a[5]), MUSTER_SITE);
    case SYS_getpid:
      return getpid();
    case SYS_getppid:
      return getppid();
    case SYS_gettid:
      return gettid();
    case SYS_getrandom:
      return getrandom(reinterpret_cast<void*>(a[0]), static_cast<std::size_t>(a[1]), static_cast<unsigned>(a[2]));
    case SYS_kill:
      return kill(static_cast<pid_t>(a[0]), static_cast<int>(a[1]));
    case SYS_tkill:
      return tgkill(controlled_process, static_cast<pid_t>(a[0]), static_cast<int>(a[1]));
    case SYS_tgkill:
      return tgkill(static_cast<pid_t>(a[0]), static_cast<pid_t>(a[1]), static_cast<int>(a[2]));
    case SYS_getcpu:
      return getcpu(reinterpret_cast<unsigned*>(a[0]), reinterpret_cast<unsigned*>(a[1]));
    case SYS_sched_yield:
      engine->yield_point(EventKind::yield, MUSTER_SITE);
      return 0;
    case SYS_membarrier:
      return 0;
    case SYS_clock_gettime:
      return clock_gettime(static_cast<clockid_t>(a[0]), reinterpret_cast<timespec*>(a[1]));
    default:
      return raw_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
}

}  // namespace muster
