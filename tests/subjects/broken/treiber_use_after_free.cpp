// Pop deletes the node at once, while another pop may be about to read its successor.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

struct Node {
  int value;
  std::atomic<Node*> next;
};

class Stack {
 public:
  ~Stack() {
    while (pop()) {
    }
  }

  void push(int value) {
    Node* const node = new Node{value, {}};
    Node* head = head_.load();
    do {
      node->next.store(head);
    } while (!head_.compare_exchange_strong(head, node));
  }

  bool pop() {
    Node* head = head_.load();
    while (head != nullptr && !head_.compare_exchange_strong(head, head->next.load())) {
    }
    delete head;
    return head != nullptr;
  }

 private:
  std::atomic<Node*> head_{nullptr};
};

}  // namespace

MUSTER_SCENARIO(treiber_use_after_free) {
  Stack stack;
  stack.push(1);
  stack.push(2);
  bool popped = false;
  std::thread a{[&] { popped = stack.pop(); }};
  const bool popped_too = stack.pop();
  a.join();
  MUSTER_REQUIRE(popped && popped_too);
}
