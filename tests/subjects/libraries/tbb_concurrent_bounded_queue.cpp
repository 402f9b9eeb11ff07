// tbb::concurrent_bounded_queue, unmodified: a push into a full queue waits for a pop, a pop for a push.
#include <oneapi/tbb/concurrent_queue.h>

#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(tbb_concurrent_bounded_queue) {
  tbb::concurrent_bounded_queue<int> queue;
  queue.set_capacity(1);
  std::thread producer{[&] {
    queue.push(1);
    queue.push(2);
  }};
  int first = 0;
  int second = 0;
  queue.pop(first);
  queue.pop(second);
  producer.join();
  MUSTER_REQUIRE(first == 1 && second == 2);
}
