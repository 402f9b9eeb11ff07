// The flag is set without the mutex: set and notification can both fall between the waiter's check and its sleep.
#include <atomic>
#include <condition_variable>
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

MUSTER_SCENARIO(missed_notification) {
  std::mutex mutex;
  std::condition_variable changed;
  std::atomic<bool> ready{false};
  std::thread waiter{[&] {
    std::unique_lock lock{mutex};
    while (!ready) changed.wait(lock);
  }};
  ready = true;
  changed.notify_one();
  waiter.join();
}
