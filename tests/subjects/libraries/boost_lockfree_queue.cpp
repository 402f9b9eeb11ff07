// boost::lockfree::queue, unmodified: items come out once, those of one producer in order.
#include <boost/lockfree/queue.hpp>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(boost_lockfree_queue) {
  boost::lockfree::queue<int> queue{2};
  std::thread producer{[&] {
    queue.push(1);
    queue.push(2);
  }};
  int first = 0;
  int second = 0;
  const bool popped = queue.pop(first);
  const bool popped_again = queue.pop(second);
  producer.join();
  MUSTER_REQUIRE(!popped || first == 1);
  MUSTER_REQUIRE(!popped_again || second == (popped ? 2 : 1));
}

// A pop reads the link of a dummy node that another pop may be giving back to the free list by a plain write: the tag
// in the head throws the value away, but an atomic and a plain access that nothing orders are a data race all the same.
MUSTER_SCENARIO(boost_lockfree_queue_two_consumers) {
  boost::lockfree::queue<int> queue{2};
  queue.push(1);
  queue.push(2);
  int seen = 0;
  int own = 0;
  std::thread consumer{[&] { queue.pop(seen); }};
  queue.pop(own);
  consumer.join();
  MUSTER_REQUIRE(seen + own == 3 && seen * own == 2);
  MUSTER_REQUIRE(queue.empty());
}
