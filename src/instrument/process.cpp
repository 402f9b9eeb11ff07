// What ends, copies or extends the process.

#include <dlfcn.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <cstring>
#include <exception>
#include <string_view>
#include <utility>

#include "instrument/fatal.hpp"
#include "instrument/hook.hpp"
#include "runtime/exceptions.hpp"

namespace muster {

MUSTER_HOOK void abort() noexcept {
  if (controlled) {
    char message[200] = "the program called abort";
    if (std::current_exception()) {
      std::strcpy(message, "terminated by an exception: ");
      describe_current_exception(message + std::strlen(message), sizeof message - std::strlen(message));
    }
    abort_with(MUSTER_SITE, message);
  }
  MUSTER_REAL(abort)();
  __builtin_unreachable();
}
MUSTER_HOOK void __assert_fail(const char* condition, const char* file, unsigned line, const char* function) noexcept {
  if (controlled)
    abort_with(MUSTER_SITE, fmt::format("{}:{}: assertion '{}' failed in {}", file, line, condition, function));
  using Fail = void (*)(const char*, const char*, unsigned, const char*);
  reinterpret_cast<Fail>(dlsym(RTLD_NEXT, "__assert_fail"))(condition, file, line, function);
  __builtin_unreachable();
}
#define MUSTER_EXIT(name)                                                                           \
  MUSTER_HOOK void name(int code) noexcept {                                                        \
    if (controlled && engine->options().planned && code == 0)                                       \
      engine->end(Ending::completed); /* as an ordinary main may end */                             \
    if (controlled) abort_with(MUSTER_SITE, fmt::format("the program called " #name "({})", code)); \
    MUSTER_REAL(name)(code);                                                                        \
    __builtin_unreachable();                                                                        \
  }
MUSTER_EXIT(exit)
MUSTER_EXIT(quick_exit)
MUSTER_EXIT(_exit)
MUSTER_EXIT(_Exit)
MUSTER_HOOK pid_t fork() noexcept {
  if (controlled) unsupported(MUSTER_SITE, "fork inside a scenario cannot be controlled");
  return MUSTER_REAL(fork)();
}

/// Its child would run on the parent's memory; a real fork gives the caller the same answers.
MUSTER_HOOK pid_t vfork() noexcept { return fork(); }

/// What was loaded stays: its code may still be on the stack of a thread that is abandoned.
MUSTER_HOOK int dlclose(void* library) noexcept { return controlled ? 0 : MUSTER_REAL(dlclose)(library); }

/// TBB loads its own allocator, whose memory would not be rewound; without it TBB uses malloc.
MUSTER_HOOK void* dlopen(const char* file, int flags) noexcept {
  if (engine && file && std::string_view(file).find("tbbmalloc") != std::string_view::npos) return nullptr;
  const bool was = std::exchange(controlled, false);
  if (was) engine->going_back().left_traces();
  void* library = MUSTER_REAL(dlopen)(file, flags);
  controlled = was;
  return library;
}

MUSTER_HOOK int poll(pollfd* fds, nfds_t count, int timeout) {
  if (controlled && timeout != 0)
    unsupported(MUSTER_SITE, "poll waits for the world outside: only a timeout of 0 can be controlled");
  return MUSTER_REAL(poll)(fds, count, timeout);
}
MUSTER_HOOK int select(int n, fd_set* r, fd_set* w, fd_set* e, timeval* timeout) {
  if (controlled && !(timeout && timeout->tv_sec == 0 && timeout->tv_usec == 0)) {
    unsupported(MUSTER_SITE, "select waits for the world outside: only a timeout of 0 can be controlled");
  }
  return MUSTER_REAL(select)(n, r, w, e, timeout);
}
MUSTER_HOOK int epoll_wait(int fd, epoll_event* events, int most, int timeout) {
  if (controlled && timeout != 0)
    unsupported(MUSTER_SITE, "epoll_wait waits for the world outside: only a timeout of 0 can be controlled");
  return MUSTER_REAL(epoll_wait)(fd, events, most, timeout);
}

// The same machine for every execution, whatever it runs on: four processors, and each thread on its own of them.
namespace {

constexpr int processors = 4;
int processor_of_this_thread() { return engine->current().id % processors; }

}  // namespace

MUSTER_HOOK int get_nprocs() noexcept { return controlled ? processors : MUSTER_REAL(get_nprocs)(); }
MUSTER_HOOK int get_nprocs_conf() noexcept { return controlled ? processors : MUSTER_REAL(get_nprocs_conf)(); }
MUSTER_HOOK long sysconf(int name) noexcept {
  if (controlled && (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)) return processors;
  return MUSTER_REAL(sysconf)(name);
}
MUSTER_HOOK int sched_getaffinity(pid_t process, std::size_t size, cpu_set_t* set) noexcept {
  if (!controlled) return MUSTER_REAL(sched_getaffinity)(process, size, set);
  std::memset(set, 0, size);
  for (int i = 0; i < processors; ++i) CPU_SET_S(i, size, set);
  return 0;
}
MUSTER_HOOK int getcpu(unsigned* processor, unsigned* node) noexcept {
  if (!controlled) return MUSTER_REAL(getcpu)(processor, node);
  if (processor) *processor = static_cast<unsigned>(processor_of_this_thread());
  if (node) *node = 0;
  return 0;
}
MUSTER_HOOK int sched_getcpu() noexcept {
  return controlled ? processor_of_this_thread() : MUSTER_REAL(sched_getcpu)();
}

}  // namespace muster
