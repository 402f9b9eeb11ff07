// A waiter checks a flag and sleeps. Set without the mutex, the flag and its notification can both fall in between.
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

MUSTER_SCENARIO(missed_notification_fixed) {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
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
