// A pthread spin lock around a check and an update, released on every path.
#include <pthread.h>

#include <muster/scenario.hpp>
#include <thread>

namespace {

class Once {
 public:
  Once() { pthread_spin_init(&lock_, PTHREAD_PROCESS_PRIVATE); }
  ~Once() { pthread_spin_destroy(&lock_); }

  bool first() {
    pthread_spin_lock(&lock_);
    const bool first = !taken_;
    taken_ = true;
    pthread_spin_unlock(&lock_);
    return first;
  }

 private:
  pthread_spinlock_t lock_;
  bool taken_ = false;
};

}  // namespace

MUSTER_SCENARIO(pthread_spinlock) {
  Once once;
  int firsts = 0;
  std::thread a{[&] { once.first(); }};
  std::thread b{[&] { once.first(); }};
  if (once.first()) ++firsts;
  a.join();
  b.join();
  MUSTER_REQUIRE(firsts <= 1);
}
