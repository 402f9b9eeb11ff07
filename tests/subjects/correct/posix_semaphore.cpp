// Items are counted by a POSIX semaphore; a consumer waits for one before it takes the mutex.
#include <semaphore.h>

#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

namespace {

class Counted {
 public:
  Counted() { sem_init(&items_, 0, 0); }
  ~Counted() { sem_destroy(&items_); }

  void put() {
    {
      const std::lock_guard lock{mutex_};
      ++stored_;
    }
    sem_post(&items_);
  }

  int take() {
    sem_wait(&items_);
    const std::lock_guard lock{mutex_};
    return stored_--;
  }

 private:
  std::mutex mutex_;
  sem_t items_;
  int stored_ = 0;
};

}  // namespace

MUSTER_SCENARIO(posix_semaphore) {
  Counted items;
  std::thread producer{[&] { items.put(); }};
  MUSTER_REQUIRE(items.take() == 1);
  producer.join();
}
