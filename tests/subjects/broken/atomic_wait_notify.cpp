// The notification comes before the store: a waiter that looks in between sleeps for ever.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(atomic_wait_notify) {
  std::atomic<int> state{0};
  std::thread waiter{[&] { state.wait(0); }};
  state.notify_one();
  state.store(1);
  waiter.join();
}
