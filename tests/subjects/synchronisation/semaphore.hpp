#pragma once
// A counting semaphore of a mutex and a condition variable: that of libstdc++ 12 can lose a wake-up.
#include <condition_variable>
#include <mutex>

namespace subjects::synchronisation {

class Semaphore {
 public:
  explicit Semaphore(int permits) : permits_{permits} {}

  void up() {
    const std::lock_guard lock{mutex_};
    ++permits_;
    raised_.notify_one();
  }

  void down() {
    std::unique_lock lock{mutex_};
    raised_.wait(lock, [this] { return permits_ > 0; });
    --permits_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable raised_;
  int permits_;
};

}  // namespace subjects::synchronisation
