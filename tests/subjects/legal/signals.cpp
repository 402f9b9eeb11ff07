// Signals of a thread to itself, in all the ways that are allowed.
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

#include "two_threads.hpp"

namespace {

volatile sig_atomic_t flag;
thread_local volatile sig_atomic_t own_flag;
thread_local int nested;
thread_local sigjmp_buf place;
std::atomic<int> handled;

void install(int signal, void (*handler)(int), int flags = 0) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  MUSTER_REQUIRE(sigaction(signal, &action, nullptr) == 0);
}

void raise_flag(int) { flag = 1; }
void count(int) { ++handled; }

}  // namespace

// What the handler writes, the thread that it interrupted reads.
MUSTER_SCENARIO(flag_of_a_handler) {
  install(SIGUSR1, raise_flag);
  in_a_thread([] {
    MUSTER_REQUIRE(flag == 0);
    raise(SIGUSR1);
    MUSTER_REQUIRE(flag == 1);
  });
}

// Each thread runs the handler by itself, on its own data.
MUSTER_SCENARIO(handlers_in_two_threads) {
  install(SIGUSR1, [](int) { own_flag = own_flag + 1; });
  const auto use = [] {
    raise(SIGUSR1);
    pthread_kill(pthread_self(), SIGUSR1);
    MUSTER_REQUIRE(own_flag == 2);
  };
  in_two_threads(use, use);
}

// The handler leaves by a jump, which also puts back what was blocked: so it can be called again.
MUSTER_SCENARIO(handler_that_jumps_out) {
  install(SIGUSR1, [](int) {
    ++handled;
    siglongjmp(place, 1);
  });
  const auto use = [] {
    volatile int jumps = 0;
    if (sigsetjmp(place, 1) != 0) jumps = jumps + 1;
    if (jumps < 2) {
      raise(SIGUSR1);
      MUSTER_REQUIRE(!"returns");
    }
  };
  in_two_threads(use, use);
  MUSTER_REQUIRE(handled == 4);
}

// A handler that lets itself be interrupted, once.
MUSTER_SCENARIO(handler_within_a_handler) {
  install(
      SIGUSR2,
      [](int signal) {
        if (++nested < 2) raise(signal);
        ++handled;
      },
      SA_NODEFER);
  in_two_threads([] { raise(SIGUSR2); }, [] {});
  MUSTER_REQUIRE(handled == 2);
}

// Comes when it is let in, once, however often it was sent.
MUSTER_SCENARIO(signal_that_waits) {
  install(SIGUSR1, count);
  const auto use = [] {
    sigset_t set, before, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    MUSTER_REQUIRE(pthread_sigmask(SIG_BLOCK, &set, &before) == 0 && sigismember(&before, SIGUSR1) == 0);
    raise(SIGUSR1);
    raise(SIGUSR1);
    sigpending(&pending);
    MUSTER_REQUIRE(sigismember(&pending, SIGUSR1) == 1);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  };
  in_two_threads(use, use);
  MUSTER_REQUIRE(handled == 2);
}

// Taken by hand instead of by a handler.
MUSTER_SCENARIO(signal_fetched) {
  in_a_thread([] {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    raise(SIGUSR2);
    int came = 0;
    MUSTER_REQUIRE(sigwait(&set, &came) == 0 && came == SIGUSR2);
    raise(SIGUSR1);
    siginfo_t information{};
    MUSTER_REQUIRE(sigwaitinfo(&set, &information) == SIGUSR1 && information.si_signo == SIGUSR1);
  });
}

MUSTER_SCENARIO(ignored_and_put_back) {
  struct sigaction before {};
  MUSTER_REQUIRE(sigaction(SIGUSR1, nullptr, &before) == 0 && before.sa_handler == SIG_DFL);
  MUSTER_REQUIRE(signal(SIGUSR1, SIG_IGN) == SIG_DFL);
  in_two_threads([] { raise(SIGUSR1); }, [] { kill(getpid(), SIGUSR1); });
  MUSTER_REQUIRE(signal(SIGUSR1, SIG_DFL) == SIG_IGN);
  raise(SIGWINCH);
  MUSTER_REQUIRE(kill(getpid(), 0) == 0);
}
