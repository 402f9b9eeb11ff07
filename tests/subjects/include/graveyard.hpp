#pragma once
// Keeps removed nodes until the structure itself goes: lock-free readers may still look at them, and no address comes
// back.
#include <atomic>

namespace subjects {

/// What a node needs to be buried: the node buried before it, and how many nodes along `next` went with it.
template <class Node>
struct Buried {
  Node* buried_before = nullptr;
  int chain = 0;
};

/// `Node` derives from Buried<Node> and has a member `next`.
template <class Node>
class Graveyard {
 public:
  Graveyard() = default;
  Graveyard(const Graveyard&) = delete;
  Graveyard& operator=(const Graveyard&) = delete;

  ~Graveyard() {
    Node* first = last_.load();
    while (first != nullptr) {
      Node* const before = first->buried_before;
      delete_chain(first, first->chain);
      first = before;
    }
  }

  /// Takes `count` nodes that hang together, the first of them in the caller's hands alone.
  void bury(Node* first, int count = 1) {
    first->chain = count;
    first->buried_before = last_.exchange(first);
  }

 private:
  static void delete_chain(Node* node, int count) {
    while (count-- > 0) {
      Node* const next = node->next;
      delete node;
      node = next;
    }
  }

  std::atomic<Node*> last_{nullptr};
};

}  // namespace subjects
