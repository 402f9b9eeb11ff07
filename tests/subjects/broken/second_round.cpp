// In the second round the first addition is a load and a store: an update between the two is lost.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(second_round) {
  std::atomic<int> counter{0};
  const auto add = [&] { counter.fetch_add(1); };
  const auto add_slowly = [&] { counter.store(counter.load() + 1); };
  const auto add_twice = [&] { add(), add(); };
  for (const int sum : {3, 6}) {
    std::thread a{[&] { sum == 3 ? add() : add_slowly(); }}, b{add_twice};
    a.join();
    b.join();
    MUSTER_REQUIRE(counter == sum);
  }
}
