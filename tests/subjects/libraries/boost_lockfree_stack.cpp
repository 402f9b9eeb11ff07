// boost::lockfree::stack, unmodified: what was pushed is popped once.
#include <boost/lockfree/stack.hpp>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(boost_lockfree_stack) {
  boost::lockfree::stack<int> stack{2};
  int seen = 0;
  std::thread a{[&] {
    stack.push(1);
    stack.pop(seen);
  }};
  int own = 0;
  stack.push(2);
  stack.pop(own);
  a.join();
  MUSTER_REQUIRE(seen + own == 3 && seen * own == 2);
  MUSTER_REQUIRE(stack.empty());
}
