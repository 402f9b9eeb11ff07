#pragma once
// Rows of values that share what they have in common: what states of queues are made of.

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <vector>

#include "base/hash.hpp"
#include "history/value.hpp"

namespace muster {

/// Everything that was ever put in, as a tree: a node is what was put in after its parent. The items inside are the
/// last few nodes on the way to a node. A jump to a far ancestor makes any ancestor reachable in logarithmic time
/// (Myers, "An applicative random-access stack", 1983).
class Chains {
 public:
  using Node = std::uint32_t;

  Chains() { nodes_.push_back({0, 0, 0, Value(), 0}); }

  Node put(Node after, Value value) {
    const auto [found, fresh] = children_.try_emplace({after, value}, static_cast<Node>(nodes_.size()));
    if (fresh) {
      const Node jump = nodes_[after].jump;
      const bool same_stride =
          nodes_[after].depth - nodes_[jump].depth == nodes_[jump].depth - nodes_[nodes_[jump].jump].depth;
      nodes_.push_back({after, same_stride ? nodes_[jump].jump : after, nodes_[after].depth + 1, value,
                        add(multiply(nodes_[after].hash, base), mix(value.bits(), 7) % prime)});
      if (powers_.size() <= nodes_.back().depth) powers_.push_back(multiply(powers_.back(), base));
    }
    return found->second;
  }

  Value value(Node node) const { return nodes_[node].value; }
  Node parent(Node node) const { return nodes_[node].parent; }

  /// The ancestor `steps` above.
  Node above(Node node, std::uint32_t steps) const {
    const std::uint32_t depth = nodes_[node].depth - steps;
    while (nodes_[node].depth > depth)
      node = nodes_[nodes_[node].jump].depth >= depth ? nodes_[node].jump : nodes_[node].parent;
    return node;
  }

  /// Of the last `length` values up to `back`.
  std::uint64_t hash(Node back, std::uint32_t length) const {
    const std::uint64_t before = multiply(nodes_[above(back, length)].hash, powers_[length]);
    return add(nodes_[back].hash, prime - before);
  }

  bool same(Node a, Node b, std::uint32_t length) const {
    for (; length > 0 && a != b; --length, a = nodes_[a].parent, b = nodes_[b].parent) {
      if (nodes_[a].value != nodes_[b].value) return false;
    }
    return true;
  }

  std::size_t bytes() const { return nodes_.capacity() * sizeof(Entry) + children_.capacity() * 25; }

 private:
  struct Entry {
    Node parent, jump;
    std::uint32_t depth;
    Value value;
    std::uint64_t hash;  ///< of all values from the root
  };

  static constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
  static constexpr std::uint64_t base = 0x1b873593'cc9e2d51 % prime;

  static std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b % prime);
  }
  static std::uint64_t add(std::uint64_t a, std::uint64_t b) { return (a + b) % prime; }

  std::vector<Entry> nodes_;
  std::vector<std::uint64_t> powers_{1};
  absl::flat_hash_map<std::pair<Node, Value>, Node> children_;
};

}  // namespace muster
