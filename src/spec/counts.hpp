#pragma once
// Multisets as numbers: equal multisets have equal numbers, changing one takes logarithmic time, and what two of them
// share is kept once. They are treaps whose shape depends on their content alone.

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/hash.hpp"

namespace muster {

template <class Key, class Less = std::less<Key>, class Weight = void>
class Counts {
 public:
  using Id = std::uint32_t;
  static constexpr Id none = 0;  ///< the empty multiset

  std::uint32_t count(Id at, const Key& key) const {
    while (at != none) {
      const Node& node = nodes_[at];
      if (node.key == key) return node.count;
      at = Less()(key, node.key) ? node.left : node.right;
    }
    return 0;
  }

  /// Of all keys together, by what one of each weighs.
  std::uint64_t weight(Id at) const requires(!std::is_void_v<Weight>) { return weights_[at]; }

  /// With one more of this key.
  Id more(Id at, const Key& key) {
    if (at == none || above(key, nodes_[at].key)) {
      const auto [left, right] = split(at, key);
      return make({key, 1, left, right});
    }
    Node node = nodes_[at];
    if (node.key == key) {
      ++node.count;
    } else if (Less()(key, node.key)) {
      node.left = more(node.left, key);
    } else {
      node.right = more(node.right, key);
    }
    return make(node);
  }

  /// With one less of this key, which is there.
  Id less(Id at, const Key& key) {
    Node node = nodes_[at];
    if (node.key == key) {
      if (node.count == 1) return joined(node.left, node.right);
      --node.count;
    } else if (Less()(key, node.key)) {
      node.left = less(node.left, key);
    } else {
      node.right = less(node.right, key);
    }
    return make(node);
  }

  /// The smallest key of a multiset that is not empty.
  const Key& least(Id at) const {
    while (nodes_[at].left != none) at = nodes_[at].left;
    return nodes_[at].key;
  }

  /// Whether b has at least as many of each key as a.
  bool is_within(Id a, Id b) {
    if (a == b || a == none) return true;
    if (b == none) return false;
    const auto [found, fresh] = within_.try_emplace(std::uint64_t{a} << 32 | b, true);
    if (fresh) {
      bool within = true;
      for_each(a, [&](const Key& key, std::uint32_t held) { within = within && count(b, key) >= held; });
      found->second = within;
    }
    return found->second;
  }

  /// Every key with its count, in order.
  template <class F>
  void for_each(Id at, F&& f) const {
    if (at == none) return;
    for_each(nodes_[at].left, f);
    f(nodes_[at].key, nodes_[at].count);
    for_each(nodes_[at].right, f);
  }

  /// Forgets all multisets but these, which get new numbers in their places.
  void keep(std::vector<Id>& ids) {
    std::vector<Id> fresh(nodes_.size(), none);
    for (const Id id : ids) fresh[id] = id;
    for (std::size_t at = nodes_.size(); at-- > 1;) {  // parts have smaller numbers than what they are part of
      if (fresh[at] == none) continue;
      for (const Id part : {nodes_[at].left, nodes_[at].right}) fresh[part] = part;
    }
    const std::vector<Node> nodes = std::exchange(nodes_, std::vector<Node>(1));
    next_alike_.assign(1, none);
    weights_.assign(1, 0);
    numbers_ = {};
    within_ = {};
    for (std::size_t at = 1; at < nodes.size(); ++at) {
      if (fresh[at] == none) continue;
      const Node& node = nodes[at];
      fresh[at] = make({node.key, node.count, fresh[node.left], fresh[node.right]});
    }
    fresh[none] = none;
    for (Id& id : ids) id = fresh[id];
  }

  std::size_t bytes() const {
    return nodes_.capacity() * (sizeof(Node) + sizeof(Id)) + weights_.capacity() * sizeof(weights_[0]) +
           numbers_.capacity() * 17 + within_.capacity() * 17;
  }

 private:
  struct Node {
    Key key{};
    std::uint32_t count = 0;
    Id left = none, right = none;
    bool operator==(const Node&) const = default;
  };

  static std::uint64_t height(const Key& key) { return mix(std::hash<Key>()(key), 0x2545f4914f6cdd1d); }
  static bool above(const Key& a, const Key& b) {
    const std::uint64_t first = height(a), second = height(b);
    return first != second ? first > second : Less()(a, b);
  }

  /// What comes before a key that is not there, and what comes after.
  std::pair<Id, Id> split(Id at, const Key& key) {
    if (at == none) return {none, none};
    Node node = nodes_[at];
    if (Less()(key, node.key)) {
      const auto [left, right] = split(node.left, key);
      node.left = right;
      return {left, make(node)};
    }
    const auto [left, right] = split(node.right, key);
    node.right = left;
    return {make(node), right};
  }

  Id joined(Id left, Id right) {
    if (left == none) return right;
    if (right == none) return left;
    const bool left_above = above(nodes_[left].key, nodes_[right].key);
    Node node = nodes_[left_above ? left : right];
    if (left_above) {
      node.right = joined(node.right, right);
    } else {
      node.left = joined(left, node.left);
    }
    return make(node);
  }

  Id make(const Node& node) {
    const std::uint64_t hash =
        mix(mix(std::hash<Key>()(node.key), node.count), std::uint64_t{node.left} << 32 | node.right);
    // Nodes with one hash form a list; in practice they are equal.
    const auto [found, fresh] = numbers_.try_emplace(hash, static_cast<Id>(nodes_.size()));
    for (Id known = found->second; !fresh && known != none; known = next_alike_[known]) {
      if (nodes_[known] == node) return known;
    }
    const auto id = static_cast<Id>(nodes_.size());
    nodes_.push_back(node);
    if constexpr (!std::is_void_v<Weight>)
      weights_.push_back(weights_[node.left] + weights_[node.right] + Weight()(node.key) * node.count);
    next_alike_.push_back(fresh ? none : std::exchange(found->second, id));
    return id;
  }

  std::vector<Node> nodes_{1};
  std::vector<Id> next_alike_{none};
  std::vector<std::uint64_t> weights_{0};  ///< by node, with all below; if anybody asks
  absl::flat_hash_map<std::uint64_t, Id> numbers_;
  absl::flat_hash_map<std::uint64_t, bool> within_;  ///< pairs that were compared
};

}  // namespace muster
