// Signals that a thread sends to itself: their handlers are functions of the thread, and see what it sees.
#include <signal.h>
#include <unistd.h>
#include <muster/scenario.hpp>

#include <atomic>
#include <mutex>
#include <thread>

namespace {

std::atomic<int> handled;

void handle(int signal) { handled += signal; }
void handle_with_information(int signal, siginfo_t* information, void*) {
  handled += information->si_signo == signal ? signal : 0;
}

}  // namespace

MUSTER_SCENARIO(raise_with_a_handler) {
  struct sigaction action {};
  action.sa_handler = handle;
  sigaction(SIGUSR2, &action, nullptr);
  std::thread one([] { raise(SIGUSR2); });
  raise(SIGUSR2);
  one.join();
  MUSTER_REQUIRE(handled == 2 * SIGUSR2);
}

MUSTER_SCENARIO(raise_with_information) {
  struct sigaction action {};
  action.sa_sigaction = handle_with_information;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &action, nullptr);
  std::thread one([] { MUSTER_REQUIRE(pthread_kill(pthread_self(), SIGUSR1) == 0); });
  one.join();
  MUSTER_REQUIRE(handled == SIGUSR1);
}

MUSTER_SCENARIO(raise_what_is_ignored) {
  signal(SIGUSR2, SIG_IGN);
  std::thread one([] { raise(SIGUSR2); });
  raise(SIGCHLD);  // by default, too
  one.join();
}

MUSTER_SCENARIO(kill_oneself_with_a_handler) {
  signal(SIGUSR2, handle);
  std::thread one([] { handled.load(); });
  MUSTER_REQUIRE(kill(getpid(), SIGUSR2) == 0);
  one.join();
  MUSTER_REQUIRE(handled == SIGUSR2);
}

// What one execution changes is not there in the next: the signal is handled only after one thread has said so.
MUSTER_SCENARIO(handlers_of_one_execution) {
  struct sigaction before {};
  sigaction(SIGUSR2, nullptr, &before);
  MUSTER_REQUIRE(before.sa_handler == SIG_DFL);
  std::mutex mutex;
  std::thread one([&] {
    std::scoped_lock lock(mutex);
    signal(SIGUSR2, handle);
  });
  {
    std::scoped_lock lock(mutex);
    handled.load();
  }
  one.join();
}

// A signal that is blocked waits until it no longer is; a thread blocks what its parent blocked, and nobody else's.
MUSTER_SCENARIO(raise_while_blocked) {
  signal(SIGUSR2, handle);
  sigset_t two, old, pending;
  sigemptyset(&two);
  sigaddset(&two, SIGUSR2);
  std::thread before([] { handled.load(); });
  pthread_sigmask(SIG_BLOCK, &two, &old);
  std::thread after([&] {
    raise(SIGUSR2);
    raise(SIGUSR2);
    MUSTER_REQUIRE(handled == 0);
    pthread_sigmask(SIG_SETMASK, &old, nullptr);
    MUSTER_REQUIRE(handled == SIGUSR2);
  });
  sigpending(&pending);
  MUSTER_REQUIRE(sigismember(&pending, SIGUSR2) == 0);
  before.join();
  after.join();
  raise(SIGUSR2);
  int arrived = 0;
  sigwait(&two, &arrived);
  MUSTER_REQUIRE(arrived == SIGUSR2 && handled == SIGUSR2);
}
