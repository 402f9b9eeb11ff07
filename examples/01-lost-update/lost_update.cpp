// Two threads add one to a counter. Reading and writing it in two steps loses an addition.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(lost_update) {
  std::atomic<int> counter{0};
  const auto add = [&] {
    const int seen = counter.load();
    counter.store(seen + 1);
  };
  std::thread a{add}, b{add};
  a.join();
  b.join();
  MUSTER_REQUIRE(counter == 2);
}

MUSTER_SCENARIO(lost_update_fixed) {
  std::atomic<int> counter{0};
  const auto add = [&] { counter.fetch_add(1); };
  std::thread a{add}, b{add};
  a.join();
  b.join();
  MUSTER_REQUIRE(counter == 2);
}
