// std::latch: who waits sees what was done before each count-down.
#include <latch>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(std_latch) {
  std::latch ready{2};
  int left = 0;
  int right = 0;
  std::thread a{[&] {
    left = 1;
    ready.count_down();
  }};
  std::thread b{[&] {
    right = 1;
    ready.arrive_and_wait();
    MUSTER_REQUIRE(left == 1);
  }};
  ready.wait();
  MUSTER_REQUIRE(left + right == 2);
  a.join();
  b.join();
}
