#include "search/shared_work.hpp"

#include <sys/syscall.h>
#include <time.h>

namespace muster {

/// Workers trap whatever sleeps in the kernel, unless the call stands in the runtime's own code: so not through the C
/// library.
void short_sleep() {
  const timespec pause{0, 50'000};
  long result = SYS_nanosleep;
  asm volatile("syscall" : "+a"(result) : "D"(&pause), "S"(nullptr) : "rcx", "r11", "memory");
}

void SharedWork::begin(unsigned workers, unsigned jobs) {
  workers_ = idle_ = workers;
  waiting_jobs_ = jobs;
  stopped_ = false;
}

void SharedWork::begin_alone() {
  lock();
  while (workers_ > 1) {  // whom a worker that died has left behind
    unlock();
    short_sleep();
    lock();
  }
  workers_ = 1;
  idle_ = waiting_jobs_ = 0;
  stopped_ = false;
  open_ = true;
  unlock();
}

bool SharedWork::join() {
  const Lock lock(*this);
  const bool joined = open_ && !stopped_;
  if (joined) ++workers_, ++idle_;
  return joined;
}

void SharedWork::leave() {
  const Lock lock(*this);
  --workers_, --idle_;
}

void SharedWork::close() {
  for (;;) {
    lock();
    const bool alone = workers_ == 1;
    if (alone) open_ = false;
    unlock();
    if (alone) return;
    short_sleep();
  }
}

void SharedWork::shut() {
  const Lock lock(*this);
  open_ = false;
  stop();
}

void SharedWork::lock() {
  while (__atomic_exchange_n(&locked_, 1, __ATOMIC_ACQUIRE) != 0) short_sleep();
}

void SharedWork::unlock() { __atomic_store_n(&locked_, 0, __ATOMIC_RELEASE); }

void SharedWork::done() {
  const Lock lock(*this);
  ++idle_;
}

}  // namespace muster
