// A lock-free stack whose pop deletes the node at once, while another pop may be about to read its successor.
#include <atomic>
#include <memory>
#include <muster/scenario.hpp>
#include <thread>

namespace {

struct Node {
  std::atomic<Node*> next;
};

class Stack {
 public:
  void push(Node* node) {
    Node* head = head_.load();
    do {
      node->next.store(head);
    } while (!head_.compare_exchange_strong(head, node));
  }

  Node* pop() {
    Node* head = head_.load();
    while (head != nullptr && !head_.compare_exchange_strong(head, head->next.load())) {
    }
    return head;
  }

 private:
  std::atomic<Node*> head_{nullptr};
};

}  // namespace

MUSTER_SCENARIO(use_after_free) {
  Stack stack;
  stack.push(new Node{});
  stack.push(new Node{});
  std::thread a{[&] { delete stack.pop(); }};
  delete stack.pop();
  a.join();
}

// Nodes are deleted when no thread can hold one any more.
MUSTER_SCENARIO(use_after_free_fixed) {
  Stack stack;
  const auto first = std::make_unique<Node>(), second = std::make_unique<Node>();
  stack.push(first.get());
  stack.push(second.get());
  std::thread a{[&] { stack.pop(); }};
  stack.pop();
  a.join();
}
