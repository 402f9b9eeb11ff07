// Two threads need two locks; both take them in the same order.
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

MUSTER_SCENARIO(livelock) {
  std::mutex mutexes[2];
  int meals = 0;
  const auto eat = [&] {
    const std::lock_guard first{mutexes[0]};
    const std::lock_guard second{mutexes[1]};
    ++meals;
  };
  std::thread a{eat}, b{eat};
  a.join();
  b.join();
  MUSTER_REQUIRE(meals == 2);
}
