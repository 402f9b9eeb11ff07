#pragma once
// A lock-free queue (.NET: ConcurrentQueue) after Michael and Scott, PODC 1996. Nodes are numbered when they are
// linked, so that a consistent view of both ends gives the length. Nodes live as long as the queue.
#include <atomic>
#include <optional>
#include <vector>

#include "../include/chain.hpp"

namespace subjects::lineup {

class ConcurrentQueue {
 public:
  ConcurrentQueue() = default;
  ConcurrentQueue(const ConcurrentQueue&) = delete;
  ConcurrentQueue& operator=(const ConcurrentQueue&) = delete;

  ~ConcurrentQueue() { delete_chain(oldest_); }

  void enqueue(int value) {
    Node* const node = new Node{value};
    for (;;) {
      Node* const last = find_last();
      node->number = last->number + 1;
      Node* expected = nullptr;
      if (last->next.compare_exchange_strong(expected, node)) {
        move_tail(last, node);
        return;
      }
    }
  }

  std::optional<int> try_dequeue() {
    for (;;) {
      Node* head = head_.load();
      Node* const tail = tail_.load();
      Node* const first = head->next.load();
      if (first == nullptr) return std::nullopt;
      if (head == tail) {
        move_tail(tail, first);
      } else if (head_.compare_exchange_strong(head, first)) {
        return first->value;
      }
    }
  }

  std::optional<int> try_peek() const {
    const Node* const first = head_.load()->next.load();
    if (first == nullptr) return std::nullopt;
    return first->value;
  }

  bool is_empty() const { return head_.load()->next.load() == nullptr; }

  int count() const {
    const Ends ends = look_at_both_ends();
    return ends.last->number - ends.dummy->number;
  }

  std::vector<int> to_array() const {
    const Ends ends = look_at_both_ends();
    std::vector<int> values;
    for (const Node* node = ends.dummy; node != ends.last;) {
      node = node->next.load();
      values.push_back(node->value);
    }
    return values;
  }

 private:
  struct Node {
    explicit Node(int value) : value{value} {}
    const int value;
    int number = 0;
    std::atomic<Node*> next{nullptr};
  };

  struct Ends {
    const Node* dummy;
    const Node* last;
  };

  void move_tail(Node* from, Node* to) const { tail_.compare_exchange_strong(from, to); }

  // The tail may lag behind by the node that was linked last: whoever finds it so moves it on.
  Node* find_last() const {
    for (;;) {
      Node* const tail = tail_.load();
      Node* const next = tail->next.load();
      if (next == nullptr) return tail;
      move_tail(tail, next);
    }
  }

  // The head never comes back to a node it left. If it is where it was, it was there when `last` was seen to be the
  // last.
  Ends look_at_both_ends() const {
    for (;;) {
      const Node* const dummy = head_.load();
      const Node* const last = find_last();
      if (head_.load() == dummy) return {dummy, last};
    }
  }

  Node* oldest_ = new Node{0};
  std::atomic<Node*> head_{oldest_};
  mutable std::atomic<Node*> tail_{oldest_};
};

}  // namespace subjects::lineup
