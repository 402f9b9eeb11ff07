// A poller tries a lock and yields until it gets it; the holder always lets go.
#include <atomic>
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

MUSTER_SCENARIO(try_lock_polling) {
  std::mutex mutex;
  std::atomic<bool> cancelled{false};
  int updates = 0;
  std::thread poller{[&] {
    cancelled = true;
    while (!mutex.try_lock()) std::this_thread::yield();
    ++updates;
    mutex.unlock();
  }};
  mutex.lock();
  if (!cancelled) ++updates;
  mutex.unlock();
  poller.join();
  MUSTER_REQUIRE(updates == 1 || updates == 2);
}
