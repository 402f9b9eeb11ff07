// Takes the flag by a store after it looked free: two threads see it free.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

class SpinLock {
 public:
  void lock() {
    while (held_.load(std::memory_order_acquire)) {
    }
    held_.store(true, std::memory_order_relaxed);
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
