// What std::list calls out of line: nodes in a ring with the list itself as the node behind the last.

#include <list>

namespace {

using Node = std::__detail::_List_node_base;

void join(Node* before, Node* after) {
  before->_M_next = after;
  after->_M_prev = before;
}

/// The ring of `old`, from `first` to `last`, becomes that of `list`.
void take_over(Node& list, Node* first, Node* last, const Node& old) {
  if (first == &old) {
    list._M_next = list._M_prev = &list;
  } else {
    join(&list, first);
    join(last, &list);
  }
}

}  // namespace

namespace std::__detail {

[[gnu::weak]] void Node::swap(Node& a, Node& b) noexcept {
  Node *const first = a._M_next, *const last = a._M_prev;
  if (first == &a && b._M_next == &b) return;
  take_over(a, b._M_next, b._M_prev, b);
  take_over(b, first, last, a);
}

/// Nodes from `first` up to the one before `end` go before this one.
[[gnu::weak]] void Node::_M_transfer(Node* const first, Node* const end) noexcept {
  if (this == end) return;
  Node* const last = end->_M_prev;
  join(first->_M_prev, end);
  join(_M_prev, first);
  join(last, this);
}

[[gnu::weak]] void Node::_M_reverse() noexcept {
  Node* node = this;
  do {
    Node* const next = node->_M_next;
    node->_M_next = node->_M_prev;
    node->_M_prev = next;
    node = next;
  } while (node != this);
}

[[gnu::weak]] void Node::_M_hook(Node* const after) noexcept {
  join(after->_M_prev, this);
  join(this, after);
}

[[gnu::weak]] void Node::_M_unhook() noexcept { join(_M_prev, _M_next); }

}  // namespace std::__detail
