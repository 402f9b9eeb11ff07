// The addition is a load and a store: an update between the two is lost.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(lost_update) {
  std::atomic<int> counter{0};
  const auto add = [&] { counter.store(counter.load() + 1); };
  std::thread a{add}, b{add};
  a.join();
  b.join();
  MUSTER_REQUIRE(counter == 2);
}
