// Three philosophers; the last one takes the other fork first.
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

MUSTER_SCENARIO(dining_philosophers) {
  std::mutex forks[3];
  const auto dine = [&](int left, int right) {
    const std::lock_guard first{forks[left]};
    const std::lock_guard second{forks[right]};
  };
  std::thread a{dine, 0, 1}, b{dine, 1, 2};
  dine(0, 2);
  a.join();
  b.join();
}
