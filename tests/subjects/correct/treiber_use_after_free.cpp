// A Treiber stack whose pop announces the node it is about to read (hazard pointers), and deletes only unannounced
// nodes.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>
#include <utility>

namespace {

struct Node {
  int value;
  Node* next;  // in the stack; another thread that announced the node may still read it
  Node* next_retired;
};

class Stack {
 public:
  ~Stack() {
    delete_chain(head_.load(), &Node::next);
    delete_chain(retired_.load(), &Node::next_retired);
  }

  void push(int value) { push_node(head_, new Node{value, nullptr, nullptr}, &Node::next); }

  /// `thread` owns one of the two hazard pointers.
  bool pop(int thread) {
    Node* head = protect(thread);
    while (head != nullptr && !head_.compare_exchange_strong(head, head->next)) head = protect(thread);
    hazard_[thread].store(nullptr);
    if (head == nullptr) return false;
    if (hazard_[1 - thread].load() == head) {
      push_node(retired_, head, &Node::next_retired);
    } else {
      delete head;
    }
    return true;
  }

 private:
  // A node that is still the head after it was announced cannot be deleted before the announcement is taken back.
  Node* protect(int thread) {
    Node* head = head_.load();
    for (;;) {
      hazard_[thread].store(head);
      Node* const again = head_.load();
      if (again == head) return head;
      head = again;
    }
  }

  static void push_node(std::atomic<Node*>& list, Node* node, Node* Node::*next) {
    Node* head = list.load();
    do {
      node->*next = head;
    } while (!list.compare_exchange_strong(head, node));
  }

  static void delete_chain(Node* node, Node* Node::*next) {
    while (node != nullptr) {
      delete std::exchange(node, node->*next);
    }
  }

  std::atomic<Node*> head_{nullptr};
  std::atomic<Node*> retired_{nullptr};
  std::atomic<Node*> hazard_[2] = {};
};

}  // namespace

MUSTER_SCENARIO(treiber_use_after_free) {
  Stack stack;
  stack.push(1);
  stack.push(2);
  bool popped = false;
  std::thread a{[&] { popped = stack.pop(0); }};
  const bool popped_too = stack.pop(1);
  a.join();
  MUSTER_REQUIRE(popped && popped_too);
}
