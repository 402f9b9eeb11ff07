#pragma once
// A singly linked queue for one thread (Round-Up, Table IV: sl-queue), used by several: no step of it is a
// read-modify-write. The fields are relaxed atomics, so that what goes wrong is the queue and not the program.
#include <atomic>
#include <optional>

#include "../include/graveyard.hpp"

namespace subjects::roundup {

class SingleListQueue {
 public:
  SingleListQueue() = default;

  void enq(int value) {
    Node* const node = make(value);
    tail_.load(kRelaxed)->next.store(node, kRelaxed);
    tail_.store(node, kRelaxed);
  }

  std::optional<int> deq() {
    Node* const first = head_.load(kRelaxed)->next.load(kRelaxed);
    if (first == nullptr) return std::nullopt;
    head_.store(first, kRelaxed);
    return first->value.load(kRelaxed);
  }

 private:
  static constexpr std::memory_order kRelaxed = std::memory_order_relaxed;

  struct Node : Buried<Node> {
    explicit Node(int value) : value{value} {}
    std::atomic<int> value;
    std::atomic<Node*> next{nullptr};
  };

  // Who loses a node cannot free it, so each belongs to the graveyard from the start.
  Node* make(int value) {
    Node* const node = new Node{value};
    nodes_.bury(node);
    return node;
  }

  Graveyard<Node> nodes_;
  std::atomic<Node*> head_{make(0)};
  std::atomic<Node*> tail_{head_.load()};
};

}  // namespace subjects::roundup
