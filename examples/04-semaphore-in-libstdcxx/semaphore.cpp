// Nothing here is wrong: the standard library of GCC 12 can lose a wake-up. A thread sees the counter at 1, loses it to
// the other, and goes to sleep "until it is no longer 1" after the other has put it back to 1 and found nobody to wake.
#include <condition_variable>
#include <muster/scenario.hpp>
#include <mutex>
#include <semaphore>
#include <thread>

namespace {

/// What to use until the library is repaired.
class Semaphore {
 public:
  explicit Semaphore(int count) : count_(count) {}
  void acquire() {
    std::unique_lock lock{mutex_};
    released_.wait(lock, [&] { return count_ > 0; });
    --count_;
  }
  void release() {
    const std::lock_guard lock{mutex_};
    ++count_;
    released_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable released_;
  int count_;
};

template <class S>
void hand_over() {
  S slots{1};
  const auto use = [&] {
    slots.acquire();
    slots.release();
  };
  std::thread a{use}, b{use};
  a.join();
  b.join();
}

}  // namespace

MUSTER_SCENARIO(semaphore) { hand_over<std::counting_semaphore<>>(); }

MUSTER_SCENARIO(semaphore_fixed) { hand_over<Semaphore>(); }
