// boost::lockfree::spsc_queue, unmodified: one producer, one consumer, a ring of one cell that is used again.
#include <boost/lockfree/spsc_queue.hpp>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(boost_lockfree_spsc_queue) {
  boost::lockfree::spsc_queue<int, boost::lockfree::capacity<1>> queue;
  queue.push(1);
  bool pushed = false;
  std::thread producer{[&] { pushed = queue.push(2); }};
  int first = 0;
  int second = 0;
  MUSTER_REQUIRE(queue.pop(first) && first == 1);
  const bool popped = queue.pop(second);
  producer.join();
  MUSTER_REQUIRE(!popped || (pushed && second == 2));
}
