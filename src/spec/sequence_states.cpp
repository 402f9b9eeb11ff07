#include "spec/sequence_states.hpp"

#include <absl/container/flat_hash_map.h>

#include <algorithm>

#include "spec/modelled.hpp"

namespace muster {
namespace {

using Node = std::uint32_t;

/// Everything that was ever put in, as a tree: a node is what was put in after its parent. The items inside are the
/// last few nodes on the way to a node. A jump to a far ancestor makes any ancestor reachable in logarithmic time
/// (Myers, "An applicative random-access stack", 1983).
class Chains {
 public:
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

class SequenceStates final : public StateSpace {
 public:
  explicit SequenceStates(bool first_in_first_out) : first_in_first_out_(first_in_first_out) {}

  StateId initial() override { return number({0, 0}); }

  void step(StateId id, const Call& call, std::vector<StateId>& next) override {
    const State state = states_[id];
    if (call.method == 0) {
      next.push_back(number({chains_.put(state.back, call.arguments[0]), state.length + 1}));
      return;
    }
    const bool empty = state.length == 0;
    const Value given =
        empty ? Value::nil()
              : chains_.value(first_in_first_out_ ? chains_.above(state.back, state.length - 1) : state.back);
    if (!call.pending && !same_answer(given, call.result)) return;
    if (call.method == 2 || empty) {
      next.push_back(id);
    } else {
      next.push_back(number({first_in_first_out_ ? state.back : chains_.parent(state.back), state.length - 1}));
    }
  }

  std::size_t bytes() const override {
    return chains_.bytes() + states_.capacity() * sizeof(State) + by_content_.capacity() * 17;
  }

  std::string describe(StateId id) const override {
    std::vector<std::string> items;
    Node node = states_[id].back;
    for (std::uint32_t left = states_[id].length; left > 0; --left, node = chains_.parent(node))
      items.push_back(to_string(chains_.value(node)));
    std::string out = "[";
    for (auto item = items.rbegin(); item != items.rend(); ++item) (out += out.size() > 1 ? " " : "") += *item;
    return out + "]";
  }

 private:
  struct State {
    Node back;
    std::uint32_t length;
  };

  StateId number(State state) {
    if (state.length == 0) state.back = 0;
    // States with one hash form a list; in practice they are equal.
    const std::uint64_t hash = mix(chains_.hash(state.back, state.length), state.length);
    const auto [found, fresh] = by_content_.try_emplace(hash, static_cast<StateId>(states_.size()));
    for (StateId known = found->second; !fresh && known != nobody; known = next_alike_[known]) {
      if (states_[known].length == state.length && chains_.same(states_[known].back, state.back, state.length))
        return known;
    }
    states_.push_back(state);
    next_alike_.push_back(fresh ? nobody : std::exchange(found->second, static_cast<StateId>(states_.size() - 1)));
    return static_cast<StateId>(states_.size() - 1);
  }

  static constexpr StateId nobody = ~StateId{0};

  bool first_in_first_out_;
  Chains chains_;
  std::vector<State> states_;
  std::vector<StateId> next_alike_;
  absl::flat_hash_map<std::uint64_t, StateId> by_content_;
};

}  // namespace

std::unique_ptr<StateSpace> queue_states() { return std::make_unique<SequenceStates>(true); }
std::unique_ptr<StateSpace> stack_states() { return std::make_unique<SequenceStates>(false); }

}  // namespace muster
