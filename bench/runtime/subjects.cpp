// What bench_runtime runs: one test each, on structures whose object is built and destroyed in every execution.
#include <concurrentqueue/concurrentqueue.h>

#include <atomic>
#include <boost/lockfree/queue.hpp>
#include <deque>
#include <muster/check.hpp>
#include <muster/scenario.hpp>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace {

class TreiberStack {
 public:
  ~TreiberStack() {
    while (pop()) {
    }
    for (Node* node = retired_; node != nullptr;) {
      Node* const next = node->retired;
      delete node;
      node = next;
    }
  }
  void push(int value) {
    Node* node = new Node{value, head_.load(std::memory_order_relaxed), nullptr};
    // (1) release: publishes the node to the acquire at (2).
    while (!head_.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }
  std::optional<int> pop() {
    Node* node = head_.load(std::memory_order_acquire);  // (2)
    while (node != nullptr && !head_.compare_exchange_weak(node, node->next, std::memory_order_acquire)) {
    }
    if (node == nullptr) return std::nullopt;
    const int value = node->value;
    retire(node);
    return value;
  }

 private:
  struct Node {
    int value;
    Node* next;
    Node* retired;
  };
  // Freed with the stack: another thread may still read the node.
  void retire(Node* node) {
    node->retired = retired_.load(std::memory_order_relaxed);
    while (!retired_.compare_exchange_weak(node->retired, node, std::memory_order_acq_rel)) {
    }
  }
  std::atomic<Node*> head_{nullptr};
  std::atomic<Node*> retired_{nullptr};
};

class MichaelScottQueue {
 public:
  MichaelScottQueue() : head_(new Node{0}), tail_(head_.load()), first_(head_.load()) {}
  ~MichaelScottQueue() {
    for (Node* node = first_; node != nullptr;) {
      Node* const next = node->next;
      delete node;
      node = next;
    }
  }
  void enqueue(int value) {
    Node* node = new Node{value};
    for (;;) {
      Node* tail = tail_.load();
      Node* next = tail->next.load();
      if (next == nullptr) {
        if (tail->next.compare_exchange_weak(next, node)) {
          tail_.compare_exchange_strong(tail, node);
          return;
        }
      } else {
        tail_.compare_exchange_strong(tail, next);
      }
    }
  }
  std::optional<int> dequeue() {
    for (;;) {
      Node* head = head_.load();
      Node* tail = tail_.load();
      Node* next = head->next.load();
      if (next == nullptr) return std::nullopt;
      if (head == tail) {
        tail_.compare_exchange_strong(tail, next);
        continue;
      }
      const int value = next->value;
      if (head_.compare_exchange_weak(head, next)) return value;
    }
  }

 private:
  struct Node {
    explicit Node(int v) : value(v) {}
    int value;
    std::atomic<Node*> next{nullptr};
  };
  std::atomic<Node*> head_, tail_;
  Node* first_;  // nodes are freed with the queue
};

class LockedQueue {
 public:
  void push(int value) {
    std::scoped_lock lock(mutex_);
    items_.push_back(value);
  }
  std::optional<int> pop() {
    std::scoped_lock lock(mutex_);
    if (items_.empty()) return std::nullopt;
    const int value = items_.front();
    items_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::deque<int> items_;
};

MUSTER_CHECK(locked) {
  auto queue = check.object<LockedQueue>();
  queue.operation("push", &LockedQueue::push).with(1).with(2);
  queue.operation("pop", &LockedQueue::pop);
}

MUSTER_CHECK(treiber) {
  auto stack = check.object<TreiberStack>();
  stack.operation("push", &TreiberStack::push).with(1).with(2);
  stack.operation("pop", &TreiberStack::pop);
}

MUSTER_CHECK(michael_scott) {
  auto queue = check.object<MichaelScottQueue>();
  queue.operation("push", &MichaelScottQueue::enqueue).with(1).with(2).with(3).with(4);
  queue.operation("pop", &MichaelScottQueue::dequeue);
}

/// So many threads that each push, and as many that each pop.
template <class Queue>
void crowd(unsigned pairs, void (Queue::*push)(int), std::optional<int> (Queue::*pop)()) {
  Queue queue;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < pairs; ++i) threads.emplace_back([&, i] { (queue.*push)(static_cast<int>(i)); });
  for (unsigned i = 0; i < pairs; ++i) threads.emplace_back([&] { (queue.*pop)(); });
  for (std::thread& thread : threads) thread.join();
}
/// Two threads that push and pop in turn.
template <class Queue>
void pair(unsigned calls, void (Queue::*push)(int), std::optional<int> (Queue::*pop)()) {
  Queue queue;
  const auto body = [&] {
    for (unsigned i = 0; i < calls; ++i) i % 2 == 0 ? (queue.*push)(1) : void((queue.*pop)());
  };
  std::thread first(body), second(body);
  first.join();
  second.join();
}
MUSTER_SCENARIO(michael_scott_scenario) { crowd(2, &MichaelScottQueue::enqueue, &MichaelScottQueue::dequeue); }
MUSTER_SCENARIO(michael_scott_crowd) { crowd(3, &MichaelScottQueue::enqueue, &MichaelScottQueue::dequeue); }
MUSTER_SCENARIO(treiber_crowd) { crowd(3, &TreiberStack::push, &TreiberStack::pop); }
MUSTER_SCENARIO(locked_crowd) { crowd(4, &LockedQueue::push, &LockedQueue::pop); }
MUSTER_SCENARIO(michael_scott_pair) { pair(5, &MichaelScottQueue::enqueue, &MichaelScottQueue::dequeue); }
MUSTER_SCENARIO(treiber_pair) { pair(5, &TreiberStack::push, &TreiberStack::pop); }
MUSTER_SCENARIO(locked_pair) { pair(9, &LockedQueue::push, &LockedQueue::pop); }

MUSTER_CHECK(boost) {
  using Queue = boost::lockfree::queue<int>;
  auto queue = check.object<Queue>(16);
  queue.operation("push", [](Queue& q, int value) { q.push(value); }).with(1).with(2).with(3).with(4);
  queue.operation("pop", [](Queue& q) {
    int value = 0;
    return q.pop(value) ? std::optional(value) : std::nullopt;
  });
}

MUSTER_CHECK(moodycamel) {
  using Queue = moodycamel::ConcurrentQueue<int>;
  auto queue = check.object<Queue>();
  queue.operation("push", [](Queue& q, int value) { q.enqueue(value); }).with(1).with(2).with(3).with(4);
  queue.operation("pop", [](Queue& q) {
    int value = 0;
    return q.try_dequeue(value) ? std::optional(value) : std::nullopt;
  });
}

}  // namespace
