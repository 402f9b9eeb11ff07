// Signals that a thread sends to itself. What happens then is known, and does not wait for a chosen point: a handler is
// called as a function of the thread. Those that would end the process are a finding. Which signals a thread blocks is
// kept here, because model threads may share a kernel thread.

#include "instrument/signals.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <signal.h>
#include <string.h>
#include <sys/ucontext.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <optional>
#include <utility>

#include "base/hash.hpp"
#include "instrument/fatal.hpp"
#include "instrument/hook.hpp"
#include "instrument/process_id.hpp"
#include "instrument/rare_states.hpp"
#include "instrument/time.hpp"

namespace muster {
namespace {

/// A bit for each signal, 1 to 64.
using Signals = std::uint64_t;
constexpr Signals one(int signal) { return Signals{1} << (signal - 1); }
constexpr bool is_signal(int signal) { return signal > 0 && signal < NSIG; }

Signals from(const sigset_t& set) {
  Signals signals = 0;
  for (int signal = 1; signal < NSIG; ++signal) {
    if (sigismember(&set, signal) == 1) signals |= one(signal);
  }
  return signals;
}

void put(Signals signals, sigset_t* set) {
  sigemptyset(set);
  for (int signal = 1; signal < NSIG; ++signal) {
    if (signals & one(signal)) sigaddset(set, signal);
  }
}

struct ThreadSignals {
  Signals blocked = 0, pending = 0;
};
std::array<ThreadSignals, max_threads> of_threads;

/// What signals did before the execution changed it.
std::array<std::optional<struct sigaction>, NSIG> before;

ThreadSignals& of_this_thread() { return of_threads[engine->current().id]; }

void note_change(int signal) {
  if (!controlled || !is_signal(signal) || before[signal]) return;
  begin_use(RareUse::signals);
  struct sigaction now;
  const OwnWork work;
  if (MUSTER_REAL(sigaction)(signal, nullptr, &now) == 0) before[signal] = now;
}

bool is_ignored_by_default(int signal) {
  return signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT;
}

bool stops_by_default(int signal) {
  return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

/// Muster's own handlers are for faults that happen, not for what a program sends.
bool is_default(const struct sigaction& action) {
  if (action.sa_handler == SIG_DFL) return true;
  Dl_info handler, own;
  return action.sa_handler != SIG_IGN && dladdr(reinterpret_cast<void*>(action.sa_handler), &handler) &&
         dladdr(reinterpret_cast<void*>(&forget_signals), &own) && handler.dli_fbase == own.dli_fbase;
}

siginfo_t information_on(int signal) {
  siginfo_t info{};
  info.si_signo = signal;
  info.si_code = SI_TKILL;
  info.si_pid = controlled_process;
  return info;
}

void call_handler(int signal, const struct sigaction& action) {
  if (!(action.sa_flags & SA_SIGINFO)) return action.sa_handler(signal);
  siginfo_t info = information_on(signal);
  ucontext_t context{};
  action.sa_sigaction(signal, &info, &context);
}

void deliver(int signal, SiteId site) {
  struct sigaction action;
  {
    const OwnWork work;
    MUSTER_REAL(sigaction)(signal, nullptr, &action);
  }
  if (action.sa_handler == SIG_IGN) return;
  if (is_default(action)) {
    if (is_ignored_by_default(signal)) return;
    if (stops_by_default(signal)) unsupported(site, fmt::format("{} stops the process", strsignal(signal)));
    abort_with(site, fmt::format("the program raised {}", strsignal(signal)));
  }
  if (action.sa_flags & static_cast<int>(SA_RESETHAND)) ::signal(signal, SIG_DFL);
  begin_use(RareUse::signals);
  ThreadSignals& mine = of_this_thread();
  const Signals blocked = mine.blocked;
  mine.blocked |= from(action.sa_mask);
  if (!(action.sa_flags & SA_NODEFER)) mine.blocked |= one(signal);
  call_handler(signal, action);
  mine.blocked = blocked;
}

/// Signals that came while they were blocked arrive when they no longer are, the lowest first.
void deliver_pending(SiteId site) {
  ThreadSignals& mine = of_this_thread();
  while (const Signals ready = mine.pending & ~mine.blocked) {
    const int signal = std::countr_zero(ready) + 1;
    mine.pending &= ~one(signal);
    deliver(signal, site);
  }
}

int change_blocked(int how, const sigset_t* set, sigset_t* old, SiteId site) {
  ThreadSignals& mine = of_this_thread();
  if (old) put(mine.blocked, old);
  if (!set) return 0;
  const Signals named = from(*set);
  switch (how) {
    case SIG_BLOCK:
      block_only(mine.blocked | named, site);
      return 0;
    case SIG_UNBLOCK:
      block_only(mine.blocked & ~named, site);
      return 0;
    case SIG_SETMASK:
      block_only(named, site);
      return 0;
    default:
      return EINVAL;
  }
}

constexpr const char* waiting = "waiting for a signal inside a scenario";

/// One that is pending; nothing else can come, as threads send signals to themselves only.
int take_pending(const sigset_t* set, SiteId site) {
  ThreadSignals& mine = of_this_thread();
  const Signals there = mine.pending & from(*set);
  if (there == 0) unsupported(site, waiting);
  const int signal = std::countr_zero(there) + 1;
  mine.pending &= ~one(signal);
  return signal;
}

int fails(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

}  // namespace

int send_to_self(int signal, SiteId site) {
  if (signal == 0) return 0;
  if (!is_signal(signal)) return EINVAL;
  of_this_thread().pending |= one(signal);
  begin_use(RareUse::signals);
  deliver_pending(site);
  return 0;
}

std::uint64_t blocked_signals() { return of_this_thread().blocked; }

void block_only(std::uint64_t signals, SiteId site) {
  of_this_thread().blocked = signals & ~(one(SIGKILL) | one(SIGSTOP));
  begin_use(RareUse::signals);
  deliver_pending(site);
}

void inherit_blocked_signals(ThreadId child) {
  if (is_in_use(RareUse::signals)) of_threads[child] = {of_this_thread().blocked, 0};
}

void forget_signals() {
  of_threads.fill({});
  for (int signal = 1; signal < NSIG; ++signal) {
    if (!before[signal]) continue;
    MUSTER_REAL(sigaction)(signal, &*before[signal], nullptr);
    before[signal].reset();
  }
}

/// Handlers are left out: what installs them writes nothing that a program could read in a loop.
std::uint64_t signals_hash() {
  return is_in_use(RareUse::signals) ? hash_bytes(std::as_bytes(std::span(of_threads))) : 0;
}

MUSTER_HOOK int sigaction(int signal, const struct sigaction* action, struct sigaction* old) noexcept {
  if (action) note_change(signal);
  return MUSTER_REAL(sigaction)(signal, action, old);
}
MUSTER_HOOK sighandler_t signal(int signal, sighandler_t handler) noexcept {
  note_change(signal);
  return MUSTER_REAL(signal)(signal, handler);
}
MUSTER_HOOK int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  return controlled ? change_blocked(how, set, old, MUSTER_SITE) : MUSTER_REAL(pthread_sigmask)(how, set, old);
}
MUSTER_HOOK int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  return controlled ? fails(change_blocked(how, set, old, MUSTER_SITE)) : MUSTER_REAL(sigprocmask)(how, set, old);
}
MUSTER_HOOK int sigpending(sigset_t* set) noexcept {
  if (!controlled) return MUSTER_REAL(sigpending)(set);
  put(of_this_thread().pending, set);
  return 0;
}
MUSTER_HOOK int sigwait(const sigset_t* set, int* signal) {
  if (!controlled) return MUSTER_REAL(sigwait)(set, signal);
  *signal = take_pending(set, MUSTER_SITE);
  return 0;
}

MUSTER_HOOK int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  if (!controlled) return MUSTER_REAL(sigwaitinfo)(set, info);
  const int signal = take_pending(set, MUSTER_SITE);
  if (info) *info = information_on(signal);
  return signal;
}
MUSTER_HOOK int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* timeout) {
  if (!controlled) return MUSTER_REAL(sigtimedwait)(set, info, timeout);
  if (timeout && (of_this_thread().pending & from(*set)) == 0) {
    sleep_until(virtual_deadline_in(*timeout), MUSTER_SITE);
    return fails(EAGAIN);
  }
  const int signal = take_pending(set, MUSTER_SITE);
  if (info) *info = information_on(signal);
  return signal;
}
MUSTER_HOOK int sigsuspend(const sigset_t* set) {
  if (!controlled) return MUSTER_REAL(sigsuspend)(set);
  const Signals before = of_this_thread().blocked;
  if ((of_this_thread().pending & ~from(*set)) == 0) unsupported(MUSTER_SITE, waiting);
  block_only(from(*set), MUSTER_SITE);
  block_only(before, MUSTER_SITE);
  return fails(EINTR);
}

MUSTER_HOOK int raise(int signal) noexcept {
  return controlled ? fails(send_to_self(signal, MUSTER_SITE)) : MUSTER_REAL(raise)(signal);
}
MUSTER_HOOK int kill(pid_t process, int signal) noexcept {
  if (!controlled) return MUSTER_REAL(kill)(process, signal);
  if (process == controlled_process) return fails(send_to_self(signal, MUSTER_SITE));
  if (process <= 0) unsupported(MUSTER_SITE, "kill of a group of processes inside a scenario");
  return MUSTER_REAL(kill)(process, signal);
}
MUSTER_HOOK int tgkill(pid_t process, pid_t thread, int signal) {
  if (!controlled || process != controlled_process) return MUSTER_REAL(tgkill)(process, thread, signal);
  if (thread == gettid()) return fails(send_to_self(signal, MUSTER_SITE));
  unsupported(MUSTER_SITE, "tgkill: signals between model threads cannot be controlled");
}
MUSTER_HOOK int sigqueue(pid_t process, int signal, sigval value) noexcept {
  if (!controlled || process != controlled_process) return MUSTER_REAL(sigqueue)(process, signal, value);
  unsupported(MUSTER_SITE, "sigqueue: signals with values cannot be controlled");
}

}  // namespace muster
