#include "spin_lock.hpp"

bool app::SpinLock::try_lock() {
  int taken = 1;
  asm volatile("xchgl %0, %1" : "+r"(taken), "+m"(taken_) : : "memory");
  return taken == 0;
}
