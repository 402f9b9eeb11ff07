#pragma once
// Stacks for the frontier search, whatever repeats. A state is what lies on top; below it lies, at once, all that could
// have been there when it was pushed (as in the graph-structured stacks of generalised parsers: Tomita, 1985). So two
// pushes that overlap do not double the states for as long as they are inside.

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "judge/core/value_table.hpp"
#include "judge/frontier/frontier_object.hpp"
#include "spec/counts.hpp"

namespace muster {

class FrontierStack : public FrontierObject {
 public:
  /// A node: a value with the nodes that can be below it. 0 is the empty stack.
  struct State {
    std::uint32_t top = 0;
    bool operator==(const State&) const = default;
    std::uint64_t hash() const { return top; }
  };
  using Steps = std::vector<std::pair<State, std::uint32_t>>;
  static constexpr bool needs_places = true;
  static constexpr std::size_t least_width = 64;  ///< a wrong guess shows late, when what lies below comes out

  FrontierStack(const Binding& binding, std::span<const OperationId> ids);

  State initial() const { return {}; }
  void restart();
  std::uint32_t kind(Index op) const { return kinds_[op]; }
  bool is_observer(Index op) const { return act(op) == Act::peek || act(op) == Act::find_nothing; }
  bool is_free(State state, Index op) const;
  void called_for_ever(Index op) { count_for_ever(op, 1); }
  void uncalled_for_ever(Index op) { count_for_ever(op, -1); }

  template <class Open>
  void begin(Position, const Open& open) {
    fresh_.clear();
    fresh_numbers_.clear();
    useful_.clear();
    if (called_pushes_.empty()) return;
    for (const auto& opened : open) {
      if (act(opened.op) == Act::pop || act(opened.op) == Act::peek) useful_.push_back(value(opened.op));
      if (act(opened.op) == Act::pop_any) return all_are_useful();
    }
    std::erase_if(useful_, [&](std::uint32_t value) { return !called_pushes_.contains(value); });
    std::ranges::sort(useful_);
    useful_.erase(std::unique(useful_.begin(), useful_.end()), useful_.end());
  }

  bool spends_no_more(std::uint32_t a, std::uint32_t b) { return spent_.is_within(a, b); }
  std::uint64_t cost(std::uint32_t spent) const { return spent_.weight(spent); }
  void step(const Place& place, State state, std::uint32_t spent, Index op, Steps& out);
  void spend(const Place& place, State state, std::uint32_t spent, Steps& out);

  /// Frontiers that differ in what lies below alone become one, and nodes with equal content too.
  template <class Layer>
  void settle(Layer& layer, const auto&, auto&&) {
    settled_.assign(fresh_.size(), 0);
    for (auto& at : layer) at.state.top = settled(at.state.top);
    if (layer.size() < 2) return;
    std::ranges::stable_sort(layer, {}, [&](const auto& at) { return std::tuple(at.marks, at.spent, value_of(at)); });
    std::size_t kept = 0;
    for (std::size_t first = 0, last; first < layer.size(); first = last) {
      std::vector<std::uint32_t> below;
      for (last = first; last < layer.size() && alike(layer[first], layer[last]); ++last) {
        const auto under = below_of(layer[last].state.top);
        below.insert(below.end(), under.begin(), under.end());
      }
      const std::uint32_t top = layer[first].state.top;
      layer[kept] = layer[first];
      if (last - first > 1 && top != 0) layer[kept].state.top = node(values_[top], std::move(below));
      ++kept;
    }
    layer.resize(kept);
  }

  /// Nodes that no state leads to any more go, once they may be most of them.
  template <class Visit>
  void collect(const Visit& visit_states) {
    if (values_.size() < 2 * nodes_kept_ + fewest_nodes) return;
    std::vector<std::uint32_t> numbers(values_.size(), 0);  // 0: not needed, like the empty stack
    visit_states([&](const State& state) { numbers[state.top] = 1; });
    keep_nodes(numbers);
    visit_states([&](State& state) { state.top = numbers[state.top]; });
  }

  std::size_t bytes() const {
    return (values_.capacity() + first_below_.capacity() + below_.capacity() + alike_.capacity()) * 4 +
           numbers_.capacity() * 13 + spent_.bytes() + fresh_.capacity() * sizeof(Fresh);
  }

 private:
  enum class Act : std::uint8_t { push, pop, pop_any, find_nothing, peek, look };
  /// Made in this closure, with the step in which it was: frontiers that get there in another one have other nodes.
  struct Fresh {
    std::uint32_t value;
    std::vector<std::uint32_t> below;
  };
  static constexpr std::uint32_t fresh_bit = std::uint32_t{1} << 31;
  static constexpr std::size_t fewest_nodes = 4096;         ///< to collect
  static constexpr std::uint32_t pops = ~std::uint32_t{0};  ///< among what is spent

  Act act(Index op) const { return static_cast<Act>(kinds_[op] & 7); }
  std::uint32_t value(Index op) const { return kinds_[op] >> 3; }
  std::uint32_t value_of_node(std::uint32_t top) const {
    return top & fresh_bit ? fresh_[top & ~fresh_bit].value : values_[top];
  }
  std::uint32_t value_of(const auto& at) const { return values_[at.state.top]; }
  bool alike(const auto& a, const auto& b) const {
    return a.marks == b.marks && a.spent == b.spent && value_of(a) == value_of(b);
  }
  std::span<const std::uint32_t> below_of(std::uint32_t top) const {
    if (top & fresh_bit) return fresh_[top & ~fresh_bit].below;
    if (top == 0) return {};
    return {below_.data() + first_below_[top], below_.data() + first_below_[top + 1]};
  }
  void count_for_ever(Index op, int change);
  void all_are_useful();
  std::uint32_t push(const Place& place, std::uint32_t spent, std::uint32_t value, std::uint32_t below);
  std::uint32_t settled(std::uint32_t top);
  std::uint32_t node(std::uint32_t value, std::vector<std::uint32_t> below);
  std::uint32_t add_node(std::uint32_t value, std::span<const std::uint32_t> below);
  void clear_nodes();
  void keep_nodes(std::vector<std::uint32_t>& numbers);

  const Binding& binding_;
  std::span<const OperationId> ids_;
  std::vector<std::uint32_t> kinds_;     ///< by operation: value << 3 | act
  std::vector<std::uint32_t> unpopped_;  ///< by value: how many a pending pop may have taken at most
  std::vector<std::uint32_t> values_;    ///< by node
  std::vector<std::uint32_t> first_below_, below_;
  std::size_t nodes_kept_ = 0;        ///< at the last collection
  std::vector<std::uint32_t> alike_;  ///< by node: the one before with the same hash
  absl::flat_hash_map<std::uint64_t, std::uint32_t> numbers_;
  std::vector<Fresh> fresh_;
  absl::flat_hash_map<std::tuple<std::uint64_t, std::uint64_t>, std::uint32_t> fresh_numbers_;
  std::vector<std::uint32_t> settled_;
  absl::flat_hash_map<std::uint32_t, std::uint32_t> called_pushes_;  ///< that never return, by value
  std::uint32_t called_pops_ = 0;
  std::vector<std::uint32_t> useful_;
  Counts<std::uint32_t, std::less<>, EachOne> spent_;
};

}  // namespace muster
