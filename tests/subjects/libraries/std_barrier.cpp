// std::barrier with a completion function: it runs once a phase, after all arrived and before anybody goes on.
#include <barrier>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(std_barrier) {
  int phases = 0;
  int left = 0;
  int right = 0;
  std::barrier barrier{2, [&]() noexcept { ++phases; }};
  std::thread a{[&] {
    left = 1;
    barrier.arrive_and_wait();
    MUSTER_REQUIRE(right == 1 && phases == 1);
  }};
  right = 1;
  barrier.arrive_and_wait();
  MUSTER_REQUIRE(left == 1 && phases == 1);
  a.join();
}

MUSTER_SCENARIO(std_barrier_two_phases) {
  std::barrier barrier{2};
  int turns = 0;
  std::thread a{[&] {
    ++turns;
    barrier.arrive_and_wait();
    barrier.arrive_and_wait();
    MUSTER_REQUIRE(turns == 2);
  }};
  barrier.arrive_and_wait();
  ++turns;
  barrier.arrive_and_wait();
  MUSTER_REQUIRE(turns == 2);
  a.join();
}
