// boost::lockfree::queue as it is installed, not changed in any way: only this file is written for Muster.
#include <boost/lockfree/queue.hpp>
#include <muster/scenario.hpp>
#include <thread>

// A pop reads the link of a node that another pop is giving back to the free list by a plain write. A tag throws the
// value away, so nothing goes wrong today; an atomic and a plain access that nothing orders are a data race all the
// same.
MUSTER_SCENARIO(third_party_queue) {
  boost::lockfree::queue<int> queue{2};
  queue.push(1);
  queue.push(2);
  int seen = 0, own = 0;
  std::thread consumer{[&] { queue.pop(seen); }};
  queue.pop(own);
  consumer.join();
  MUSTER_REQUIRE(seen + own == 3 && seen * own == 2);
}

// With one consumer, nobody reads a node that another gives back.
MUSTER_SCENARIO(third_party_queue_one_consumer) {
  boost::lockfree::queue<int> queue{2};
  std::thread producer{[&] {
    queue.push(1);
    queue.push(2);
  }};
  int first = 0, second = 0;
  const bool popped = queue.pop(first);
  const bool popped_again = queue.pop(second);
  producer.join();
  MUSTER_REQUIRE(!popped || first == 1);
  MUSTER_REQUIRE(!popped_again || second == (popped ? 2 : 1));
}
