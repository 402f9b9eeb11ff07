// Two threads add to a counter, and when both have ended two more do.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(second_round) {
  std::atomic<int> counter{0};
  const auto add = [&] { counter.fetch_add(1); };
  const auto add_twice = [&] { add(), add(); };
  for (const int sum : {3, 6}) {
    std::thread a{add}, b{add_twice};
    a.join();
    b.join();
    MUSTER_REQUIRE(counter == sum);
  }
}
