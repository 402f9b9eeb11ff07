// std::latch: who waits sees what was done before each count-down.
#include <muster/scenario.hpp>

#include <latch>
#include <thread>

MUSTER_SCENARIO(std_latch) {
  std::latch ready{1};
  int made = 0;
  std::thread a{[&] {
    made = 1;
    ready.count_down();
  }};
  ready.wait();
  MUSTER_REQUIRE(made == 1);
  a.join();
}

MUSTER_SCENARIO(std_latch_arrive_and_wait) {
  std::latch ready{2};
  int left = 0;
  int right = 0;
  std::thread a{[&] {
    left = 1;
    ready.arrive_and_wait();
    MUSTER_REQUIRE(right == 1);
  }};
  right = 1;
  ready.arrive_and_wait();
  MUSTER_REQUIRE(left == 1);
  a.join();
}
