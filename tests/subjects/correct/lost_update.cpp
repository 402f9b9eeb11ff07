// Two threads add to one counter; each addition is a single read-modify-write.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(lost_update) {
  std::atomic<int> counter{0};
  const auto add = [&] { counter.fetch_add(1); };
  std::thread a{add}, b{add};
  a.join();
  b.join();
  MUSTER_REQUIRE(counter == 2);
}
