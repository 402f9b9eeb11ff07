#pragma once
// A counting semaphore of the operating system's: that of libstdc++ 12 can lose a wake-up.
#include <semaphore.h>

#include <cerrno>

namespace subjects::synchronisation {

class Semaphore {
 public:
  explicit Semaphore(unsigned permits) { sem_init(&semaphore_, 0, permits); }
  ~Semaphore() { sem_destroy(&semaphore_); }
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;

  void up() { sem_post(&semaphore_); }
  void down() {
    while (sem_wait(&semaphore_) != 0 && errno == EINTR) {
    }
  }

 private:
  sem_t semaphore_;
};

}  // namespace subjects::synchronisation
