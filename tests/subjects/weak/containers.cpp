// A stack and a queue with the orders that they need: no thread ever has an older value to read.
#include <atomic>
#include <muster/scenario.hpp>
#include <optional>
#include <thread>

namespace {

struct Node {
  int value = 0;
  std::atomic<Node*> next{nullptr};
};

/// Nodes belong to the scenario.
class Stack {
 public:
  void push(Node& node) {
    Node* head = head_.load(std::memory_order_relaxed);
    do {
      node.next.store(head, std::memory_order_relaxed);
    } while (!head_.compare_exchange_weak(head, &node, std::memory_order_release, std::memory_order_relaxed));
  }
  std::optional<int> pop() {
    Node* head = head_.load(std::memory_order_acquire);
    while (head != nullptr && !head_.compare_exchange_weak(head, head->next.load(std::memory_order_relaxed),
                                                           std::memory_order_acquire, std::memory_order_acquire)) {
    }
    return head ? std::optional(head->value) : std::nullopt;
  }

 private:
  std::atomic<Node*> head_{nullptr};
};

class Queue {
 public:
  explicit Queue(Node& first) : head_(&first), tail_(&first) {}
  void push(Node& node) {
    for (;;) {
      Node* tail = tail_.load(std::memory_order_acquire);
      Node* next = tail->next.load(std::memory_order_acquire);
      if (next != nullptr) {
        tail_.compare_exchange_strong(tail, next, std::memory_order_release, std::memory_order_relaxed);
      } else if (tail->next.compare_exchange_strong(next, &node, std::memory_order_release,
                                                    std::memory_order_relaxed)) {
        tail_.compare_exchange_strong(tail, &node, std::memory_order_release, std::memory_order_relaxed);
        return;
      }
    }
  }
  std::optional<int> pop() {
    for (;;) {
      Node* head = head_.load(std::memory_order_acquire);
      Node* next = head->next.load(std::memory_order_acquire);
      if (next == nullptr) return std::nullopt;
      const int value = next->value;
      if (head_.compare_exchange_strong(head, next, std::memory_order_acq_rel, std::memory_order_relaxed)) return value;
    }
  }

 private:
  std::atomic<Node*> head_, tail_;
};

template <class Container>
void use_container(Container& container, Node (&nodes)[2]) {
  nodes[0].value = 1;
  nodes[1].value = 2;
  int sum = 0;
  std::thread other{[&] {
    container.push(nodes[0]);
    sum += container.pop().value_or(0);
  }};
  container.push(nodes[1]);
  const int own = container.pop().value_or(0);
  other.join();
  MUSTER_REQUIRE(sum + own == 3);
}

}  // namespace

MUSTER_SCENARIO(stack_release) {
  Node nodes[2];
  Stack stack;
  use_container(stack, nodes);
}
MUSTER_SCENARIO(queue_release) {
  Node first, nodes[2];
  Queue queue(first);
  use_container(queue, nodes);
}
