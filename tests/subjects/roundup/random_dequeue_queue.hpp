#pragma once
// A Michael-Scott queue whose dequeue marks any of the items in the first window (Afek, Korland, Yanovsky 2010;
// Round-Up, Figure 4 and Table IV: rd-queue). Nodes live as long as the queue.
#include <atomic>
#include <optional>
#include <vector>

#include "../include/chain.hpp"
#include "pick.hpp"

namespace subjects::roundup {

enum class Window {
  kFixed,    ///< factor + 1 items each; the next one is opened when all of a window are gone.
  kSliding,  ///< The fault of section II: any of the first factor + 1 items that are left, so that one can be left for
             ///< ever.
};

template <class Pick = SeededPick, Window window = Window::kFixed>
class RandomDequeueQueue {
 public:
  explicit RandomDequeueQueue(unsigned factor, Pick pick = Pick{}) : size_{factor + 1}, pick_(pick) {}
  RandomDequeueQueue(const RandomDequeueQueue&) = delete;
  RandomDequeueQueue& operator=(const RandomDequeueQueue&) = delete;

  ~RandomDequeueQueue() { delete_chain(oldest_); }

  void enq(int value) {
    Node* const node = new Node{value};
    for (;;) {
      Node* tail = tail_.load();
      Node* expected = nullptr;
      node->number = tail->number + 1;
      if (tail->next.compare_exchange_strong(expected, node)) {
        tail_.compare_exchange_strong(tail, node);
        return;
      }
      tail_.compare_exchange_strong(tail, expected);
    }
  }

  std::optional<int> deq() {
    for (;;) {
      const std::vector<Node*> window_items = items_in_window();
      if (window_items.empty()) return std::nullopt;
      Node* const chosen = window_items[pick_(static_cast<unsigned>(window_items.size()))];
      if (!chosen->taken.exchange(true)) return chosen->value;
    }
  }

 private:
  struct Node {
    explicit Node(int value) : value{value} {}
    const int value;
    unsigned number = 0;  // of the first item 1
    std::atomic<bool> taken{false};
    std::atomic<Node*> next{nullptr};
  };

  // Empty only if every node up to the last one was taken: taken nodes stay taken.
  std::vector<Node*> items_in_window() {
    std::vector<Node*> items;
    Node* head = head_.load();
    skip_taken(head);
    for (Node* node = head->next.load(); node != nullptr && items.size() < size_; node = node->next.load()) {
      if (node->taken.load()) continue;
      if (!items.empty() && !same_window(*items.front(), *node)) break;
      items.push_back(node);
    }
    return items;
  }

  bool same_window(const Node& first, const Node& node) const {
    if constexpr (window == Window::kSliding) return true;
    return (first.number - 1) / size_ == (node.number - 1) / size_;
  }

  void skip_taken(Node*& head) {
    for (Node* next = head->next.load(); next != nullptr && next->taken.load(); next = head->next.load()) {
      Node* expected = head;
      head_.compare_exchange_strong(expected, next);
      head = next;
    }
  }

  const unsigned size_;
  Pick pick_;
  Node* oldest_ = new Node{0};
  std::atomic<Node*> head_{oldest_};
  std::atomic<Node*> tail_{oldest_};
};

}  // namespace subjects::roundup
