#pragma once
// A lock-free stack (.NET: ConcurrentStack) after Treiber; ranges are pushed and popped by one compare-exchange. A node
// never changes once it is pushed, so a walk from any head that was once seen is a walk through one state of the stack.
#include <atomic>
#include <optional>
#include <span>
#include <vector>

#include "../include/graveyard.hpp"

namespace subjects::lineup {

class ConcurrentStack {
 public:
  ~ConcurrentStack() { clear(); }

  void push(int value) { push_range({&value, 1}); }

  /// The last of `values` ends up on top.
  void push_range(std::span<const int> values) {
    Node* bottom = nullptr;
    Node* top = nullptr;
    for (const int value : values) {
      top = new Node{value, top};
      if (bottom == nullptr) bottom = top;
    }
    if (top == nullptr) return;
    Node* head = head_.load();
    do {
      bottom->next = head;
    } while (!head_.compare_exchange_weak(head, top));
  }

  std::optional<int> try_pop() {
    const std::vector<int> popped = try_pop_range(1);
    if (popped.empty()) return std::nullopt;
    return popped.front();
  }

  /// At most `count` values, the topmost first.
  std::vector<int> try_pop_range(int count) {
    Node* head = head_.load();
    while (head != nullptr) {
      std::vector<int> values;
      Node* rest = head;
      for (; rest != nullptr && static_cast<int>(values.size()) < count; rest = rest->next)
        values.push_back(rest->value);
      if (head_.compare_exchange_weak(head, rest)) {
        graveyard_.bury(head, static_cast<int>(values.size()));
        return values;
      }
    }
    return {};
  }

  std::optional<int> try_peek() const {
    const Node* const head = head_.load();
    if (head == nullptr) return std::nullopt;
    return head->value;
  }

  int count() const { return static_cast<int>(to_array().size()); }

  std::vector<int> to_array() const { return values_from(head_.load()); }

  void clear() {
    Node* const head = head_.exchange(nullptr);
    if (head != nullptr) graveyard_.bury(head, static_cast<int>(values_from(head).size()));
  }

 private:
  struct Node : Buried<Node> {
    Node(int value, Node* next) : value{value}, next{next} {}
    const int value;
    Node* next;
  };

  static std::vector<int> values_from(const Node* node) {
    std::vector<int> values;
    for (; node != nullptr; node = node->next) values.push_back(node->value);
    return values;
  }

  std::atomic<Node*> head_{nullptr};
  Graveyard<Node> graveyard_;
};

}  // namespace subjects::lineup
