// A reader that must write gives up its shared lock before it asks for the exclusive one.
#include <pthread.h>

#include <muster/scenario.hpp>
#include <thread>

namespace {

struct Counter {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  int value = 0;

  ~Counter() { pthread_rwlock_destroy(&lock); }

  void increment_if_below(int limit) {
    pthread_rwlock_rdlock(&lock);
    const bool below = value < limit;
    pthread_rwlock_unlock(&lock);
    if (!below) return;
    pthread_rwlock_wrlock(&lock);
    if (value < limit) ++value;
    pthread_rwlock_unlock(&lock);
  }
};

}  // namespace

MUSTER_SCENARIO(rwlock_upgrade_in_place) {
  Counter counter;
  std::thread a{[&] { counter.increment_if_below(1); }};
  counter.increment_if_below(1);
  a.join();
  MUSTER_REQUIRE(counter.value == 1);
}
