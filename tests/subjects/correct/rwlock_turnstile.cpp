// A reader-writer lock of semaphores: readers count under a mutex, and a turnstile keeps a writer from starving.
#include <semaphore.h>

#include <atomic>
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

namespace {

class TurnstileLock {
 public:
  TurnstileLock() { sem_init(&room_, 0, 1); }
  ~TurnstileLock() { sem_destroy(&room_); }

  void lock() {
    turnstile_.lock();
    sem_wait(&room_);
    turnstile_.unlock();
  }

  void unlock() { sem_post(&room_); }

  void lock_shared() {
    { const std::lock_guard pass{turnstile_}; }
    const std::lock_guard counting{counting_};
    if (++readers_ == 1) sem_wait(&room_);
  }

  void unlock_shared() {
    const std::lock_guard counting{counting_};
    if (--readers_ == 0) sem_post(&room_);
  }

 private:
  std::mutex turnstile_;
  std::mutex counting_;
  sem_t room_;
  int readers_ = 0;
};

}  // namespace

MUSTER_SCENARIO(rwlock_turnstile) {
  TurnstileLock mutex;
  std::atomic<bool> writing{false};
  const auto read = [&] {
    mutex.lock_shared();
    MUSTER_REQUIRE(!writing);
    mutex.unlock_shared();
  };
  std::thread a{read}, b{read};
  mutex.lock();
  writing = true;
  writing = false;
  mutex.unlock();
  a.join();
  b.join();
}
