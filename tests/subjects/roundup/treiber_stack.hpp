#pragma once
// Treiber's stack (Round-Up, Table IV: t-stack).
#include <atomic>
#include <optional>

#include "../include/graveyard.hpp"

namespace subjects::roundup {

class TreiberStack {
 public:
  ~TreiberStack() {
    while (pop()) {
    }
  }

  void push(int value) {
    Node* const node = new Node{value};
    node->next = head_.load();
    while (!head_.compare_exchange_weak(node->next, node)) {
    }
  }

  std::optional<int> pop() {
    Node* head = head_.load();
    while (head != nullptr && !head_.compare_exchange_weak(head, head->next)) {
    }
    if (head == nullptr) return std::nullopt;
    const int value = head->value;
    graveyard_.bury(head);
    return value;
  }

 private:
  struct Node : Buried<Node> {
    explicit Node(int value) : value{value} {}
    const int value;
    Node* next = nullptr;
  };

  Graveyard<Node> graveyard_;
  std::atomic<Node*> head_{nullptr};
};

}  // namespace subjects::roundup
