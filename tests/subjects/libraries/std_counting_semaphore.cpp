// std::counting_semaphore. libstdc++ 12 can lose a wake-up: a thread that lost 16 attempts sleeps until the counter
// differs from the value it saw first, and the release that would have woken it came before it slept.
#include <muster/scenario.hpp>
#include <semaphore>
#include <thread>

MUSTER_SCENARIO(std_counting_semaphore) {
  std::counting_semaphore<> slots{1};
  const auto use = [&] {
    slots.acquire();
    slots.release();
  };
  std::thread a{use}, b{use};
  a.join();
  b.join();
}

// One thread releases, the other acquires: nobody competes, so nobody is left asleep.
MUSTER_SCENARIO(std_counting_semaphore_signal) {
  std::counting_semaphore<> done{0};
  int result = 0;
  std::thread worker{[&] {
    result = 1;
    done.release();
  }};
  done.acquire();
  MUSTER_REQUIRE(result == 1);
  worker.join();
}
