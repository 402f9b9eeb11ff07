// Boost's queue of what is due at a time, with its own locks and condition variables: what its library, which is not
// watched, sets up at its first use is no difference between executions.
#define BOOST_THREAD_VERSION 4
#include <boost/thread/concurrent_queues/sync_timed_queue.hpp>
#include <thread>

#include "muster/scenario.hpp"

namespace {

using Queue = boost::concurrent::sync_timed_queue<int>;
using boost::concurrent::queue_op_status;

constexpr boost::chrono::milliseconds soon(100);

queue_op_status pull(Queue& queue) {
  int value = 0;
  return queue.wait_pull(value);
}

}  // namespace

MUSTER_SCENARIO(boost_one_consumer) {
  Queue queue;
  std::thread producer{[&] {
    queue.push(1, soon);
    queue.close();
  }};
  std::thread consumer{[&] { pull(queue); }};
  producer.join();
  consumer.join();
}

MUSTER_SCENARIO(boost_not_closed) {
  Queue queue;
  std::thread producer{[&] {
    queue.push(1, soon);
    queue.push(2, soon);
  }};
  std::thread first{[&] { MUSTER_REQUIRE(pull(queue) == queue_op_status::success); }};
  producer.join();
  first.join();
}

MUSTER_SCENARIO(boost_closed_only) {
  Queue queue;
  std::thread closes{[&] { queue.close(); }};
  std::thread first{[&] { MUSTER_REQUIRE(pull(queue) == queue_op_status::closed); }}, second{[&] { pull(queue); }};
  closes.join();
  first.join();
  second.join();
}

MUSTER_SCENARIO(boost_never_closed) {
  Queue queue;
  std::thread produces{[&] { queue.push(1, soon); }};
  std::thread first{[&] { pull(queue); }}, second{[&] { pull(queue); }};
  produces.join();
  first.join();
  second.join();
}
