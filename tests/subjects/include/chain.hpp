#pragma once
// Nodes that hang together by `next`.

namespace subjects {

/// Deletes `first` and all that follow it.
template <class Node>
void delete_chain(Node* first) {
  while (first != nullptr) {
    Node* const next = first->next;
    delete first;
    first = next;
  }
}

}  // namespace subjects
