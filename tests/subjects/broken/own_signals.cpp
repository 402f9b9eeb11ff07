// Signals that nobody handles end the program; and a handler that takes a lock may find that its own thread holds it.
#include <signal.h>
#include <muster/scenario.hpp>

#include <atomic>
#include <mutex>
#include <thread>

namespace {

std::atomic<bool> ready;
std::mutex mutex;

}  // namespace

MUSTER_SCENARIO(raise_without_a_handler) {
  std::thread one([] { ready = true; });
  if (ready) raise(SIGUSR2);
  one.join();
}

MUSTER_SCENARIO(lock_in_a_handler) {
  signal(SIGUSR2, [](int) { std::scoped_lock lock(mutex); });
  std::thread one([] { ready = true; });
  {
    std::scoped_lock lock(mutex);
    if (ready) raise(SIGUSR2);
  }
  one.join();
}
