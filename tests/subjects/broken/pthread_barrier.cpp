// The barrier was made for three.
#include <pthread.h>

#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(pthread_barrier) {
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 3);
  std::atomic<int> arrived{0};
  std::atomic<int> serial{0};
  const auto meet = [&] {
    ++arrived;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) ++serial;
    MUSTER_REQUIRE(arrived == 2);
  };
  std::thread a{meet};
  meet();
  a.join();
  MUSTER_REQUIRE(serial == 1);
  pthread_barrier_destroy(&barrier);
}
