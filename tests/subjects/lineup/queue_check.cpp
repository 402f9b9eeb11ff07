// The queues of Figures 1 and 7, as the paper calls them.
#include <muster/check.hpp>

#include "concurrent_queue_pre.hpp"

namespace {

using namespace subjects::lineup;

template <class Queue>
void check_queue(muster::Check& check) {
  auto queue = check.object<Queue>();
  queue.operation("Add", &Queue::add).with(200).with(400);
  queue.operation("Take", &Queue::take);
  queue.operation("TryTake", [](Queue& q) { return q.try_take(); });
}

MUSTER_CHECK(queue_pre) { check_queue<ConcurrentQueuePre>(check); }
MUSTER_CHECK(queue_pre_repaired) { check_queue<ConcurrentQueuePreRepaired>(check); }

}  // namespace
