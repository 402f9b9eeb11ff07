// All change one counter under a lock. One of them takes another lock than the others.

#include <atomic>
#include <mutex>
#include <thread>

#include "muster/scenario.hpp"

MUSTER_SCENARIO(wrong_lock) {
  std::mutex data, statistics;
  std::atomic<int> counter{0};
  const auto add = [&](std::mutex& mutex) {
    const std::lock_guard lock(mutex);
    counter = counter + 1;
  };
  std::thread a{[&] { add(data); }}, b{[&] { add(data); }}, c{[&] { add(statistics); }};
  a.join();
  b.join();
  c.join();
  MUSTER_REQUIRE(counter == 3);
}
