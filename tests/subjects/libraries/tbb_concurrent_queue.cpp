// tbb::concurrent_queue, unmodified.
#include <oneapi/tbb/concurrent_queue.h>

#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(tbb_concurrent_queue) {
  tbb::concurrent_queue<int> queue;
  std::thread producer{[&] {
    queue.push(1);
    queue.push(2);
  }};
  int first = 0;
  int second = 0;
  const bool popped = queue.try_pop(first);
  const bool popped_again = queue.try_pop(second);
  producer.join();
  MUSTER_REQUIRE(!popped || first == 1);
  MUSTER_REQUIRE(!popped_again || second == (popped ? 2 : 1));
}

// Three threads of three operations: the size at which the cost of fairness shows.
MUSTER_SCENARIO(tbb_concurrent_queue_3x3) {
  tbb::concurrent_queue<int> queue;
  int popped[3] = {};
  const auto pop = [&](int thread) {
    int value;
    if (queue.try_pop(value)) ++popped[thread];
  };
  std::thread a{[&] {
    queue.push(1);
    queue.push(2);
    pop(0);
  }};
  std::thread b{[&] {
    pop(1);
    queue.push(3);
    pop(1);
  }};
  std::thread c{[&] {
    queue.push(4);
    pop(2);
    pop(2);
  }};
  a.join();
  b.join();
  c.join();
  int left = 0;
  for (int value; queue.try_pop(value);) ++left;
  MUSTER_REQUIRE(popped[0] + popped[1] + popped[2] + left == 4);
}
