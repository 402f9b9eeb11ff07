#include <muster/scenario.hpp>

namespace app {

class SpinLock {
 public:
  [[gnu::noinline]] bool try_lock() {
    int taken = 1;
    asm volatile("xchgl %0, %1" : "+r"(taken), "+m"(taken_) : : "memory");
    return taken == 0;
  }

 private:
  int taken_ = 0;
};

}  // namespace app

MUSTER_SCENARIO(spin_lock) {
  app::SpinLock lock;
  MUSTER_REQUIRE(lock.try_lock());
}
