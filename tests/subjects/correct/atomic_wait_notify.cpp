// A waiter sleeps on an atomic; the value is stored before the notification.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(atomic_wait_notify) {
  std::atomic<int> state{0};
  std::thread waiter{[&] { state.wait(0); }};
  state.store(1);
  state.notify_one();
  waiter.join();
}
