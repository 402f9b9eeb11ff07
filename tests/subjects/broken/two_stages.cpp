// A value is made in one stage and used in the next, each under a lock of its own. Who reads must read both as they are
// between two changes.

#include <mutex>
#include <thread>

#include "muster/scenario.hpp"

MUSTER_SCENARIO(two_stages) {
  std::mutex first, second, both;
  int made = 0, used = 0;
  const auto work = [&] {
    std::unique_lock whole(both, std::defer_lock);
    {
      const std::lock_guard lock(first);
      made = 1;
    }
    const std::lock_guard lock(second);
    used = made + 1;
  };
  const auto look = [&] {
    const std::lock_guard whole(both);
    int seen = 0;
    {
      const std::lock_guard lock(first);
      seen = made;
    }
    if (seen == 0) return;
    const std::lock_guard lock(second);
    MUSTER_REQUIRE(used == seen + 1);
  };
  std::thread a{work}, b{look}, c{look};
  a.join();
  b.join();
  c.join();
}
