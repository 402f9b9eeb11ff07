#pragma once
// A Michael-Scott queue (PODC 1996), and the two faults that scenarios look for. Nodes live as long as the queue.
#include <atomic>
#include <optional>

#include "chain.hpp"

namespace subjects {

enum class QueueFault { kNone, kHeadStored, kLinkStored };

template <QueueFault fault = QueueFault::kNone>
class MichaelScottQueue {
 public:
  ~MichaelScottQueue() { delete_chain(oldest_); }

  void enqueue(int value) {
    Node* const node = new Node{value, {}};
    for (;;) {
      Node* tail = tail_.load();
      Node* next = tail->next.load();
      if (next != nullptr) {
        tail_.compare_exchange_strong(tail, next);
      } else if (link(*tail, node)) {
        tail_.compare_exchange_strong(tail, node);
        return;
      }
    }
  }

  std::optional<int> dequeue() {
    for (;;) {
      Node* head = head_.load();
      Node* tail = tail_.load();
      Node* const next = head->next.load();
      if (next == nullptr) return std::nullopt;
      if (head == tail) {
        tail_.compare_exchange_strong(tail, next);
      } else if (advance(head, next)) {
        return next->value;
      }
    }
  }

 private:
  struct Node {
    int value;
    std::atomic<Node*> next;
  };

  static bool link(Node& last, Node* node) {
    if constexpr (fault == QueueFault::kLinkStored) {
      last.next.store(node);
      return true;
    }
    Node* expected = nullptr;
    return last.next.compare_exchange_strong(expected, node);
  }

  bool advance(Node* head, Node* next) {
    if constexpr (fault == QueueFault::kHeadStored) {
      head_.store(next);
      return true;
    }
    return head_.compare_exchange_strong(head, next);
  }

  Node* oldest_ = new Node{0, {}};
  std::atomic<Node*> head_{oldest_};
  std::atomic<Node*> tail_{oldest_};
};

}  // namespace subjects
