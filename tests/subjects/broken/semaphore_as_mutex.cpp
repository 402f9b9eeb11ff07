// The semaphore starts at 2: both threads get in.
#include <semaphore.h>

#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(semaphore_as_mutex) {
  sem_t mutex;
  sem_init(&mutex, 0, 2);
  std::atomic<int> inside{0};
  const auto critical = [&] {
    sem_wait(&mutex);
    MUSTER_REQUIRE(inside.fetch_add(1) == 0);
    inside.fetch_sub(1);
    sem_post(&mutex);
  };
  std::thread a{critical}, b{critical};
  a.join();
  b.join();
  sem_destroy(&mutex);
}
