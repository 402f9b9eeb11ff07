// Waits by looking again and again, under a lock each time.
#include <mutex>
#include <thread>

#include "muster/scenario.hpp"

MUSTER_SCENARIO(polling_under_lock) {
  std::mutex mutex;
  bool ready = false;
  std::thread waiter{[&] {
    for (;;) {
      std::lock_guard lock(mutex);
      if (ready) break;
    }
  }};
  {
    std::lock_guard lock(mutex);
    ready = false;  // what the waiter waits for never comes
  }
  waiter.join();
}
