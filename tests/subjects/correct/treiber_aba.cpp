// A Treiber stack whose head carries a count of changes, so that a node which comes back is told apart.
#include <atomic>
#include <cstdint>
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
    std::uint64_t head = head_.load();
    do {
      node->next.store(pointer(head));
    } while (!head_.compare_exchange_strong(head, pack(node, count(head) + 1)));
  }

  Node* pop() {
    std::uint64_t head = head_.load();
    while (pointer(head) != nullptr) {
      Node* const next = pointer(head)->next.load();
      if (head_.compare_exchange_strong(head, pack(next, count(head) + 1))) return pointer(head);
    }
    return nullptr;
  }

 private:
  // User-space addresses fit in 48 bits; the other 16 count changes, so that a returned address is told apart.
  static constexpr unsigned kAddressBits = 48;
  static Node* pointer(std::uint64_t head) {
    return reinterpret_cast<Node*>(head & ((std::uint64_t{1} << kAddressBits) - 1));
  }
  static std::uint64_t count(std::uint64_t head) { return head >> kAddressBits; }
  static std::uint64_t pack(Node* node, std::uint64_t count) {
    return reinterpret_cast<std::uint64_t>(node) | count << kAddressBits;
  }

  std::atomic<std::uint64_t> head_{0};
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
  if (first != nullptr) {
    // The node itself returns: only the count in the head tells it from the one that was popped.
    first->value = 3;
    stack.push(first);
  }
  a.join();
  Node* const rest = stack.pop();
  MUSTER_REQUIRE(second == nullptr || rest != second);
  if (popped != first) delete popped;
  if (rest != first) delete rest;
  if (second != nullptr && second != popped) delete second;
  delete first;
}
