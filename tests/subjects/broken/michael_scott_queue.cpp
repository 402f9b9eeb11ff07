// A dequeue moves the head by a store instead of a compare-exchange: two threads dequeue the same item.
#include "../include/michael_scott_queue.hpp"

#include <muster/scenario.hpp>
#include <optional>
#include <thread>

MUSTER_SCENARIO(michael_scott_queue) {
  subjects::MichaelScottQueue<subjects::QueueFault::kHeadStored> queue;
  queue.enqueue(1);
  queue.enqueue(2);
  std::optional<int> seen;
  std::thread a{[&] { seen = queue.dequeue(); }};
  const std::optional<int> own = queue.dequeue();
  a.join();
  MUSTER_REQUIRE(seen && own && *seen + *own == 3);
}
