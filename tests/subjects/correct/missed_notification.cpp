// The flag is set under the mutex, so the notification cannot fall between the waiter's check and its sleep.
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
  {
    const std::lock_guard lock{mutex};
    ready = true;
  }
  changed.notify_one();
  waiter.join();
}
