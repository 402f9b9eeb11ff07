// moodycamel::BlockingConcurrentQueue, unmodified: a consumer sleeps until an item is there.
#include <concurrentqueue/blockingconcurrentqueue.h>

#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(moodycamel_blocking_queue) {
  moodycamel::BlockingConcurrentQueue<int> queue{8, 0, 1};
  std::thread producer{[&] { queue.enqueue(1); }};
  int value = 0;
  queue.wait_dequeue(value);
  producer.join();
  MUSTER_REQUIRE(value == 1);
}
