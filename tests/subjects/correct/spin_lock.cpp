// A spin lock without a yield: waits until the flag looks free, then takes it by an exchange.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

class SpinLock {
 public:
  void lock() {
    do {
      while (held_.load(std::memory_order_relaxed)) {
      }
    } while (held_.exchange(true, std::memory_order_acquire));
  }

  void unlock() { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};

}  // namespace

MUSTER_SCENARIO(spin_lock) {
  SpinLock mutex;
  int count = 0;
  const auto add = [&] {
    mutex.lock();
    ++count;
    mutex.unlock();
  };
  std::thread a{add}, b{add};
  a.join();
  b.join();
  MUSTER_REQUIRE(count == 2);
}
