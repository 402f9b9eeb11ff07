// The head is a bare pointer and popped nodes go back to the heap at once: a node that returns at the same address
// (ABA) lets a stale compare-exchange succeed, and an item is popped twice.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

struct Node {
  int value;
  std::atomic<Node*> next;
};

/// Hands nodes out and takes them back, so that the caller decides when one is deleted.
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

MUSTER_SCENARIO(treiber_aba) {
  Stack stack;
  stack.push(new Node{2, {}});
  stack.push(new Node{1, {}});
  Node* popped = nullptr;
  std::thread a{[&] { popped = stack.pop(); }};
  Node* const first = stack.pop();
  Node* const second = stack.pop();
  delete first;
  // May come back at the address of the node just deleted.
  stack.push(new Node{3, {}});
  a.join();
  Node* const rest = stack.pop();
  MUSTER_REQUIRE(second == nullptr || rest != second);
  delete popped;
  delete rest;
  delete second;
}
