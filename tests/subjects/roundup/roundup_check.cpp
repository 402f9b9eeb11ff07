// The structures of Tables I and IV of Round-Up as checks: each is judged by the textbook object that it relaxes, and
// the factors come with the command line (--quasi), or are those of the paper.
#include <muster/check.hpp>
#include <optional>
#include <thread>
#include <vector>

#include "../include/michael_scott_queue.hpp"
#include "bounded_k_fifo.hpp"
#include "herlihy_wing_queue.hpp"
#include "iqueue.hpp"
#include "k_stack.hpp"
#include "quasi_priority_queue.hpp"
#include "quasi_queue.hpp"
#include "quasi_stack.hpp"
#include "random_dequeue_queue.hpp"
#include "single_list_queue.hpp"
#include "treiber_stack.hpp"
#include "unbounded_k_fifo.hpp"

namespace {

using namespace subjects::roundup;

template <class Object>
void add_values(Object& operation) {
  operation.with(1).with(2).with(3).with(4).with(5).with(6).with(7).with(8);
}

struct SequentialQueue {
  std::vector<int> items;
  bool operator==(const SequentialQueue&) const = default;
  void enq(int value) { items.push_back(value); }
  std::optional<int> deq() {
    if (items.empty()) return std::nullopt;
    const int first = items.front();
    items.erase(items.begin());
    return first;
  }
};

template <class Queue, class... Factor>
void queue(muster::Check& check, Factor... factor) {
  auto queue = check.object<Queue>(factor...);
  auto enqueue = queue.operation("enqueue", [](auto& q, int value) { q.enq(value); });
  add_values(enqueue);
  queue.operation("dequeue", [](auto& q) { return q.deq(); });
  check.quasi("dequeue=2", "queue");
}

template <class Stack, class... Factor>
void stack(muster::Check& check, Factor... factor) {
  auto stack = check.object<Stack>(factor...);
  auto push = stack.operation("push", [](auto& s, int value) { s.push(value); });
  add_values(push);
  stack.operation("pop", [](auto& s) { return s.pop(); });
  check.quasi("pop=2", "stack");
}

template <class PriorityQueue>
void priority_queue(muster::Check& check, unsigned factor) {
  auto queue = check.object<PriorityQueue>(factor);
  auto insert = queue.operation("insert", [](auto& q, int key) { q.enq(key, key); });
  add_values(insert);
  queue.operation("poll", [](auto& q) { return q.deq_min(); });
  check.quasi("poll=2", "priority-queue");
}

}  // namespace

// Table I.
MUSTER_CHECK(iqueue) { queue<IQueue>(check); }
MUSTER_CHECK(iqueue_waiting) {  // as the next one, a dequeue waits for an item
  auto queue = check.object<IQueue>();
  auto enqueue = queue.operation("enqueue", [](auto& q, int value) { q.enq(value); });
  add_values(enqueue);
  queue.operation("dequeue", [](auto& q) {
    for (;;) {
      if (const std::optional<int> value = q.deq()) return *value;
      std::this_thread::yield();
    }
  });
  check.quasi("dequeue=0", "queue");
}
MUSTER_CHECK(herlihy_wing_queue) { queue<HerlihyWingQueue>(check); }
MUSTER_CHECK(quasi_queue) { queue<QuasiQueue<EveryPick>>(check, 2u); }
MUSTER_CHECK(quasi_queue_3) {
  queue<QuasiQueue<EveryPick>>(check, 3u);
  check.quasi("dequeue=3", "queue");
}
MUSTER_CHECK(quasi_queue_b1) { queue<QuasiQueue<EveryPick, QuasiQueueFault::kLooksTooFar>>(check, 2u); }
MUSTER_CHECK(quasi_queue_b2) { queue<QuasiQueue<EveryPick, QuasiQueueFault::kTakesTwice>>(check, 2u); }
MUSTER_CHECK(quasi_queue_b3) { queue<QuasiQueue<EveryPick, QuasiQueueFault::kStopsAtTheEnd>>(check, 2u); }
MUSTER_CHECK(quasi_stack) { stack<QuasiStack<EveryPick>>(check, 2u); }
MUSTER_CHECK(quasi_stack_b1) { stack<QuasiStack<EveryPick, QuasiStackFault::kGivesUp>>(check, 2u); }
MUSTER_CHECK(quasi_stack_b2) { stack<QuasiStack<EveryPick, QuasiStackFault::kLooksTooFar>>(check, 2u); }
MUSTER_CHECK(quasi_priority_queue) { priority_queue<QuasiPriorityQueue<EveryPick>>(check, 2u); }
MUSTER_CHECK(quasi_priority_queue_b2) {
  priority_queue<QuasiPriorityQueue<EveryPick, QuasiPriorityQueueFault::kLooksTooFar>>(check, 2u);
}

// Table IV.
MUSTER_CHECK(sl_queue) { queue<SingleListQueue>(check); }
MUSTER_CHECK(t_stack) { stack<TreiberStack>(check); }
MUSTER_CHECK(ms_queue) {
  auto queue = check.object<subjects::MichaelScottQueue<>>();
  auto enqueue = queue.operation("enqueue", [](auto& q, int value) { q.enqueue(value); });
  add_values(enqueue);
  queue.operation("dequeue", [](auto& q) { return q.dequeue(); });
  check.quasi("dequeue=2", "queue");
}
MUSTER_CHECK(rd_queue) { queue<RandomDequeueQueue<EveryPick>>(check, 2u); }
MUSTER_CHECK(bk_queue) { queue<BoundedKFifo<EveryPick>>(check, 2u); }
MUSTER_CHECK(ubk_queue) { queue<UnboundedKFifo<EveryPick>>(check, 2u); }
MUSTER_CHECK(k_stack) { stack<KStack<EveryPick, KStackFault::kAsksTwice>>(check, 2u); }
MUSTER_CHECK(k_stack_repaired) { stack<KStack<EveryPick>>(check, 2u); }
// Among fourteen calls not every choice is tried: each object makes the same ones.
MUSTER_CHECK(rd_queue_seeded) { queue<RandomDequeueQueue<>>(check, 2u); }
MUSTER_CHECK(bk_queue_seeded) { queue<BoundedKFifo<>>(check, 2u); }
MUSTER_CHECK(ubk_queue_seeded) { queue<UnboundedKFifo<>>(check, 2u); }
MUSTER_CHECK(k_stack_seeded) { stack<KStack<SeededPick, KStackFault::kAsksTwice>>(check, 2u); }
MUSTER_CHECK(k_stack_seeded_repaired) { stack<KStack<>>(check, 2u); }

// Section II: the segmented queue of Figure 3, and one of the first two items without the window of Figure 4.
MUSTER_CHECK(segmented_queue) {
  queue<QuasiQueue<EveryPick>>(check, 1u);
  check.quasi("dequeue=1", "queue");
}
MUSTER_CHECK(first_two_in_a_window) {
  queue<RandomDequeueQueue<EveryPick>>(check, 1u);
  check.quasi("dequeue=1", "queue");
}
MUSTER_CHECK(one_of_the_first_two) {
  queue<RandomDequeueQueue<EveryPick, Window::kSliding>>(check, 1u);
  check.quasi("dequeue=1", "queue");
}

// The double push of Algorithm 3 needs a segment that is empty on top of another: factor 1, three pushes, one pop.
MUSTER_CHECK(k_stack_small) {
  stack<KStack<FirstPick, KStackFault::kAsksTwice>>(check, 1u);
  check.quasi("pop=1", "stack")
      .test("first: push(1), push(2), push(3), pop() | push(4) | pop() | last: pop(), pop(), pop()");
}
MUSTER_CHECK(k_stack_small_repaired) {
  stack<KStack<FirstPick>>(check, 1u);
  check.quasi("pop=1", "stack")
      .test("first: push(1), push(2), push(3), pop() | push(4) | pop() | last: pop(), pop(), pop()");
}

// The same class, not relaxed, as the golden one; and a class that is relaxed only by concurrency, judged by itself.
MUSTER_CHECK(quasi_queue_by_golden_class) {
  auto queue = check.object<QuasiQueue<EveryPick>>(2u).golden<QuasiQueue<FirstPick>>(0u);
  queue.operation("enqueue", [](auto& q, int value) { q.enq(value); }).with(1).with(2).with(3).with(4);
  queue.operation("dequeue", [](auto& q) { return q.deq(); });
  check.quasi("dequeue=2");
}
MUSTER_CHECK(quasi_queue_b1_by_golden_class) {
  auto queue = check.object<QuasiQueue<EveryPick, QuasiQueueFault::kLooksTooFar>>(1u).golden<QuasiQueue<FirstPick>>(0u);
  queue.operation("enqueue", [](auto& q, int value) { q.enq(value); }).with(1).with(2).with(3).with(4).with(5);
  queue.operation("dequeue", [](auto& q) { return q.deq(); });
  check.quasi("dequeue=1");
}
MUSTER_CHECK(quasi_queue_by_model) {
  auto queue = check.object<QuasiQueue<EveryPick>>(1u).model<SequentialQueue>();
  queue.operation("enqueue", [](auto& q, int value) { q.enq(value); }).with(1).with(2).with(3);
  queue.operation("dequeue", [](auto& q) { return q.deq(); });
  check.quasi("dequeue=1");
}
MUSTER_CHECK(k_fifo_by_itself) {
  auto queue = check.object<UnboundedKFifo<FirstPick>>(1u);
  queue.operation("enqueue", [](auto& q, int value) { q.enq(value); }).with(1).with(2);
  queue.operation("dequeue", [](auto& q) { return q.deq(); });
  check.quasi("dequeue=1");
}
MUSTER_CHECK(sl_queue_by_itself) {
  auto queue = check.object<SingleListQueue>();
  queue.operation("enqueue", [](auto& q, int value) { q.enq(value); }).with(1).with(2);
  queue.operation("dequeue", [](auto& q) { return q.deq(); });
  check.quasi("dequeue=1");
}
