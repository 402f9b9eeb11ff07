// A Michael-Scott queue: of two nodes enqueued at once, each is linked.
#include <muster/scenario.hpp>
#include <optional>
#include <thread>

#include "../include/michael_scott_queue.hpp"

MUSTER_SCENARIO(michael_scott_lost_link) {
  subjects::MichaelScottQueue<> queue;
  std::thread a{[&] { queue.enqueue(1); }};
  queue.enqueue(2);
  a.join();
  const std::optional<int> first = queue.dequeue();
  const std::optional<int> second = queue.dequeue();
  MUSTER_REQUIRE(first && second && *first + *second == 3);
}
