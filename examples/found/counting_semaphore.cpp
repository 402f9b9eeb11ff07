// Library: libstdc++ 12.2 (GCC 12)
// Place: bits/semaphore_base.h, __atomic_semaphore::_M_acquire; bits/atomic_wait.h
// Known: yes, repaired in later releases
//
// `std::counting_semaphore` loses a wake-up. A thread reads the counter at 1, loses it to another one, and goes to
// sleep "until it is no longer 1", the value that it read first. The other has put it back to 1 meanwhile and found
// nobody asleep to wake: the thread sleeps for ever although the semaphore is free.
#include <muster/scenario.hpp>
#include <semaphore>
#include <thread>

MUSTER_SCENARIO(counting_semaphore) {
  std::counting_semaphore<> slots{1};
  const auto use = [&] {
    slots.acquire();
    slots.release();
  };
  std::thread a{use}, b{use};
  a.join();
  b.join();
}
