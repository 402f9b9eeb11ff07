// boost::lockfree::stack, unmodified: what was pushed is popped once.
#include <boost/lockfree/stack.hpp>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(boost_lockfree_stack) {
  boost::lockfree::stack<int> stack{2};
  std::thread a{[&] { stack.push(1); }};
  int first = 0;
  int second = 0;
  stack.push(2);
  MUSTER_REQUIRE(stack.pop(first));
  a.join();
  MUSTER_REQUIRE(stack.pop(second) && first + second == 3 && first * second == 2);
}

// A pop reads the successor of a node that another pop may be giving back to the free list; the tag in the head throws
// the value away, but the two plain accesses are a data race all the same.
MUSTER_SCENARIO(boost_lockfree_stack_two_consumers) {
  boost::lockfree::stack<int> stack{2};
  stack.push(1);
  stack.push(2);
  int seen = 0;
  int own = 0;
  std::thread a{[&] { stack.pop(seen); }};
  stack.pop(own);
  a.join();
  MUSTER_REQUIRE(seen + own == 3 && seen * own == 2);
}
