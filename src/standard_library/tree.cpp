// What std::map, std::set and their like call out of line: red-black trees (Cormen, Leiserson, Rivest, Stein,
// Introduction to Algorithms, chapter 13). The library's header node is the root's parent; it points to the root, to
// the leftmost and to the rightmost node, and is red, which tells it from a root.

#include <map>

namespace {

using std::_S_black, std::_S_red;
using Node = std::_Rb_tree_node_base;
using Side = Node* Node::*;

constexpr Side left = &Node::_M_left, right = &Node::_M_right;
Side opposite(Side side) { return side == left ? right : left; }

bool is_red(const Node* node) { return node && node->_M_color == _S_red; }
bool is_header(const Node* node) {
  return node->_M_color == _S_red && node->_M_parent && node->_M_parent->_M_parent == node;
}

/// The last node in this direction.
Node* end_of(Node* node, Side side) {
  while (node->*side) node = node->*side;
  return node;
}

/// The next node in this direction; after the last one, the header.
Node* neighbour(Node* node, Side side) {
  if (node->*side) return end_of(node->*side, opposite(side));
  Node* parent = node->_M_parent;
  while (node == parent->*side) {
    node = parent;
    parent = node->_M_parent;
  }
  // From a root that is the last node this went to the header, and back to the root.
  return node->*side == parent ? node : parent;
}

void set_parent(Node* child, Node* parent) {
  if (child) child->_M_parent = parent;
}

/// In the parent of `old`.
void replace_child(Node* old, Node* fresh, Node& header) {
  Node* const parent = old->_M_parent;
  if (header._M_parent == old) {
    header._M_parent = fresh;
  } else if (parent->_M_left == old) {
    parent->_M_left = fresh;
  } else {
    parent->_M_right = fresh;
  }
  set_parent(fresh, parent);
}

/// `node` goes down to this side; its child on the other side comes up.
void rotate(Node* node, Side side, Node& header) {
  Node* const child = node->*opposite(side);
  node->*opposite(side) = child->*side;
  set_parent(child->*side, node);
  replace_child(node, child, header);
  child->*side = node;
  node->_M_parent = child;
}

/// A red node may have come to have a red parent.
void repair_after_insertion(Node* node, Node& header) {
  while (node != header._M_parent && is_red(node->_M_parent)) {
    Node* const grandparent = node->_M_parent->_M_parent;
    const Side side = node->_M_parent == grandparent->_M_left ? left : right;
    Node* const uncle = grandparent->*opposite(side);
    if (is_red(uncle)) {
      node->_M_parent->_M_color = uncle->_M_color = _S_black;
      grandparent->_M_color = _S_red;
      node = grandparent;
      continue;
    }
    if (node == node->_M_parent->*opposite(side)) {
      node = node->_M_parent;
      rotate(node, side, header);
    }
    node->_M_parent->_M_color = _S_black;
    grandparent->_M_color = _S_red;
    rotate(grandparent, opposite(side), header);
  }
  header._M_parent->_M_color = _S_black;
}

/// Paths through `node`, which may be null, have one black node too few.
void repair_after_erasure(Node* node, Node* parent, Node& header) {
  while (node != header._M_parent && !is_red(node)) {
    const Side side = node == parent->_M_left ? left : right;
    Node* sibling = parent->*opposite(side);
    if (is_red(sibling)) {
      sibling->_M_color = _S_black;
      parent->_M_color = _S_red;
      rotate(parent, side, header);
      sibling = parent->*opposite(side);
    }
    if (!is_red(sibling->_M_left) && !is_red(sibling->_M_right)) {
      sibling->_M_color = _S_red;
      node = parent;
      parent = node->_M_parent;
      continue;
    }
    if (!is_red(sibling->*opposite(side))) {
      (sibling->*side)->_M_color = _S_black;
      sibling->_M_color = _S_red;
      rotate(sibling, opposite(side), header);
      sibling = parent->*opposite(side);
    }
    sibling->_M_color = parent->_M_color;
    parent->_M_color = _S_black;
    (sibling->*opposite(side))->_M_color = _S_black;
    rotate(parent, side, header);
    return;
  }
  if (node) node->_M_color = _S_black;
}

/// What a node that was taken out left behind: a place that misses a node of this colour.
struct Gap {
  Node *child, *parent;
  std::_Rb_tree_color color;
};

/// A node with one child at most: the child comes up.
Gap cut_out(Node* node, Node& header) {
  Node* const child = node->_M_left ? node->_M_left : node->_M_right;
  const Gap gap{child, node->_M_parent, node->_M_color};
  replace_child(node, child, header);
  if (header._M_left == node) header._M_left = child ? end_of(child, left) : gap.parent;
  if (header._M_right == node) header._M_right = child ? end_of(child, right) : gap.parent;
  return gap;
}

/// A node with two children: the next one, which has no left child, takes its place and colour.
Gap replace_by_next(Node* node, Node& header) {
  Node* const heir = end_of(node->_M_right, left);
  Gap gap{heir->_M_right, heir->_M_parent, heir->_M_color};
  if (gap.parent == node) {
    gap.parent = heir;
  } else {
    gap.parent->_M_left = gap.child;
    set_parent(gap.child, gap.parent);
    heir->_M_right = node->_M_right;
    heir->_M_right->_M_parent = heir;
  }
  replace_child(node, heir, header);
  heir->_M_left = node->_M_left;
  heir->_M_left->_M_parent = heir;
  heir->_M_color = node->_M_color;
  return gap;
}

/// The library promises to change nothing through a pointer to const, and has one function for both.
Node* changeable(const Node* node) { return const_cast<Node*>(node); }

}  // namespace

namespace std {

[[gnu::weak]] Node* _Rb_tree_increment(Node* node) noexcept { return neighbour(node, right); }
[[gnu::weak]] const Node* _Rb_tree_increment(const Node* node) noexcept { return neighbour(changeable(node), right); }
[[gnu::weak]] Node* _Rb_tree_decrement(Node* node) noexcept {
  return is_header(node) ? node->_M_right : neighbour(node, left);
}
[[gnu::weak]] const Node* _Rb_tree_decrement(const Node* node) noexcept { return _Rb_tree_decrement(changeable(node)); }

[[gnu::weak]] void _Rb_tree_insert_and_rebalance(const bool goes_left, Node* node, Node* parent,
                                                 Node& header) noexcept {
  node->_M_parent = parent;
  node->_M_left = node->_M_right = nullptr;
  node->_M_color = _S_red;
  if (parent == &header) {  // the first one
    header._M_parent = header._M_left = header._M_right = node;
  } else if (goes_left) {
    parent->_M_left = node;
    if (parent == header._M_left) header._M_left = node;
  } else {
    parent->_M_right = node;
    if (parent == header._M_right) header._M_right = node;
  }
  repair_after_insertion(node, header);
}

[[gnu::weak]] Node* _Rb_tree_rebalance_for_erase(Node* const node, Node& header) noexcept {
  const bool two_children = node->_M_left && node->_M_right;
  const Gap gap = two_children ? replace_by_next(node, header) : cut_out(node, header);
  if (gap.color == _S_black) repair_after_erasure(gap.child, gap.parent, header);
  return node;
}

[[gnu::weak]] unsigned _Rb_tree_black_count(const Node* node, const Node* root) noexcept {
  unsigned count = 0;
  for (; node; node = node == root ? nullptr : node->_M_parent) count += node->_M_color == _S_black;
  return count;
}

}  // namespace std
