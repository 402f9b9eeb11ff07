// Readers count without the mutex: the second reader enters while the first still waits for the writer to leave.
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
    if (readers_.fetch_add(1) == 0) sem_wait(&room_);
  }

  void unlock_shared() {
    if (readers_.fetch_sub(1) == 1) sem_post(&room_);
  }

 private:
  std::mutex turnstile_;
  sem_t room_;
  std::atomic<int> readers_{0};
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
