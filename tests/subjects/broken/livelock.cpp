// Each thread takes its own lock, tries the other's, gives its own back on failure and starts again: they can go on
// like this for ever.
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

MUSTER_SCENARIO(livelock) {
  std::mutex mutexes[2];
  int meals = 0;
  const auto eat = [&](std::mutex& mine, std::mutex& theirs) {
    for (;;) {
      const std::lock_guard first{mine};
      if (!theirs.try_lock()) continue;
      const std::lock_guard second{theirs, std::adopt_lock};
      ++meals;
      return;
    }
  };
  std::thread a{[&] { eat(mutexes[0], mutexes[1]); }};
  std::thread b{[&] { eat(mutexes[1], mutexes[0]); }};
  a.join();
  b.join();
  MUSTER_REQUIRE(meals == 2);
}
