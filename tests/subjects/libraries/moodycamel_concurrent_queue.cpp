// moodycamel::ConcurrentQueue, unmodified: items of one producer come out in order, each once.
#include <concurrentqueue/concurrentqueue.h>

#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(moodycamel_concurrent_queue) {
  moodycamel::ConcurrentQueue<int> queue{8, 0, 1};
  std::thread producer{[&] {
    queue.enqueue(1);
    queue.enqueue(2);
  }};
  int first = 0;
  int second = 0;
  const bool popped = queue.try_dequeue(first);
  const bool popped_again = queue.try_dequeue(second);
  producer.join();
  MUSTER_REQUIRE(!popped || first == 1);
  MUSTER_REQUIRE(!popped_again || second == (popped ? 2 : 1));
}
