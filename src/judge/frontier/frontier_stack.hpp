#pragma once
// Stacks for the frontier search, whatever repeats. A state is what lies on top; below it lies, at once, all that could
// have been there when it was pushed (as in the graph-structured stacks of generalised parsers: Tomita, 1985). So two
// pushes that overlap do not double the states for as long as they are inside.
//
// What lies below may have needed more of the pops that never return, which then are not there for what comes later. A
// state counts those that the cheapest content needed; an edge has what the content behind it needed beyond that
// (`extra`). Whoever takes such a pop knows how many more of them had been called by then: behind the top of a state
// can only be what needed no more than that (`room`), and an edge keeps the room of what is below it for when it is on
// top.

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
  static constexpr std::uint32_t plenty = ~std::uint32_t{0};  ///< room for all that can be behind
  struct State {
    std::uint32_t top = 0;   ///< a node: a value with the nodes that can be below it. 0 is the empty stack
    std::uint32_t pops = 0;  ///< that never return, and were needed
    std::uint32_t room = plenty;
    bool operator==(const State&) const = default;
    std::uint64_t hash() const { return top; }
  };
  using Steps = std::vector<std::pair<State, std::uint32_t>>;
  static constexpr bool merges = true;

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
    settled_.clear();
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
  bool includes(State a, State b) const { return a.top == b.top && a.pops <= b.pops && a.room >= b.room; }
  std::uint64_t count(std::uint32_t spent) const { return spent_.weight(spent); }
  std::uint64_t cost(State state, std::uint32_t spent) const { return state.pops + spent_.weight(spent); }
  /// A wrong guess shows late, when what lies below comes out; the more so where pops that never return hide it.
  std::size_t least_width() const { return has_pending_pops_ ? 128 : 32; }
  void limit(std::size_t width) {
    const std::size_t wider = std::max<std::size_t>(width / least_width(), 1);
    few_ = std::min<std::size_t>(wider, everything);
    most_found_ = 2 * few_;
    most_looked_at_ = 128 * few_;
    most_edges_ = (has_pending_pops_ ? 8 : 64) * few_;
    was_limited_ = false;
  }
  bool was_limited() const { return was_limited_; }
  void spend_least() { allowed_ = few_; }
  bool spend_more() {
    if (allowed_ >= called_) return false;
    allowed_ *= 4;
    return true;
  }
  void spent_at_least(std::uint64_t least) { most_cost_ = least + allowed_; }
  void step(const Place& place, State state, std::uint32_t spent, Index op, Steps& out);
  void spend(const Place& place, State state, std::uint32_t spent, Steps& out);

  /// Frontiers that differ in what lies below alone become one, and nodes with equal content too.
  template <class Layer>
  void merge(Layer& layer) {
    settled_.resize(fresh_.size());
    for (auto& at : layer) {
      at.state.top = settled(at.state.top);
      at.state.room = room_at(at.state.top, at.state.room);
    }
    if (layer.size() < 2) return;
    std::ranges::stable_sort(
        layer, {}, [&](const auto& at) { return std::tuple(at.marks, at.spent, value_of(at), at.state.pops); });
    std::size_t kept = 0;
    for (std::size_t first = 0, last; first < layer.size(); first = last) {
      State state = layer[first].state;
      for (last = first + 1; last < layer.size() && alike(layer[first], layer[last]); ++last) {
      }
      if (last - first > 1 && state.top != 0) {
        gathered_.clear();
        for (std::size_t at = first; at < last; ++at) {
          if (gathered_.size() >= most_edges_) {
            was_limited_ = true;
            break;
          }
          gather(layer[at].state, state.pops);
        }
        state = {node(values_[state.top], gathered_), state.pops, plenty};
      }
      layer[kept] = layer[first];
      layer[kept++].state = state;
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
    return (values_.capacity() + first_below_.capacity() + most_extra_.capacity() + alike_.capacity()) * 4 +
           below_.capacity() * sizeof(Edge) + numbers_.capacity() * 13 + spent_.bytes() +
           fresh_.capacity() * sizeof(Fresh);
  }

 private:
  enum class Act : std::uint8_t { push, pop, pop_any, find_nothing, peek, look };
  struct Edge {
    std::uint32_t below;
    std::uint32_t extra;
    std::uint32_t room;
    auto operator<=>(const Edge&) const = default;
  };
  /// Made in this closure, with the step in which it was: frontiers that get there in another one have other nodes.
  struct Fresh {
    std::uint32_t value;
    std::vector<Edge> below;
  };
  static constexpr std::uint32_t fresh_bit = std::uint32_t{1} << 31;
  static constexpr std::uint32_t everything = 1 << 20;  ///< times what is few
  static constexpr std::size_t fewest_nodes = 4096;     ///< to collect

  Act act(Index op) const { return static_cast<Act>(kinds_[op] & 7); }
  std::uint32_t value(Index op) const { return kinds_[op] >> 3; }
  std::uint32_t value_of_node(std::uint32_t top) const {
    return top & fresh_bit ? fresh_[top & ~fresh_bit].value : values_[top];
  }
  /// More room than is ever needed there is plenty.
  std::uint32_t room_at(std::uint32_t top, std::uint32_t room) const {
    return top & fresh_bit || room < most_extra_[top] ? room : plenty;
  }
  std::uint32_t value_of(const auto& at) const { return values_[at.state.top]; }
  bool alike(const auto& a, const auto& b) const {
    return a.marks == b.marks && a.spent == b.spent && value_of(a) == value_of(b);
  }
  std::span<const Edge> below_of(std::uint32_t top) const {
    if (top & fresh_bit) return fresh_[top & ~fresh_bit].below;
    if (top == 0) return {};
    return {below_.data() + first_below_[top], below_.data() + first_below_[top + 1]};
  }
  void count_for_ever(Index op, int change);
  void all_are_useful();
  State push(const Place& place, std::uint32_t spent, std::uint32_t value, State on);
  template <class F>
  void for_each_below(State state, const F& visit) const;
  void pop(State state, std::uint32_t spent, Steps& out) const;
  template <class F>
  void uncover(State from, std::uint32_t spent, std::uint32_t wanted, const F& found);
  void gather(State state, std::uint32_t pops);
  std::uint32_t settled(std::uint32_t top);
  std::uint32_t node(std::uint32_t value, std::vector<Edge>& below);
  std::uint32_t add_node(std::uint32_t value, std::span<const Edge> below);
  void clear_nodes();
  void keep_nodes(std::vector<std::uint32_t>& numbers);

  const Binding& binding_;
  std::span<const OperationId> ids_;
  std::vector<std::uint32_t> kinds_;     ///< by operation: value << 3 | act
  std::vector<std::uint32_t> unpopped_;  ///< by value: how many a pending pop may have taken at most
  std::vector<std::uint32_t> values_;    ///< by node
  std::vector<std::uint32_t> first_below_;
  std::vector<Edge> below_;
  std::vector<std::uint32_t> most_extra_;  ///< by node: of all ways down from it
  std::vector<Edge> gathered_;
  std::size_t nodes_kept_ = 0;        ///< at the last collection
  std::vector<std::uint32_t> alike_;  ///< by node: the one before with the same hash
  absl::flat_hash_map<std::uint64_t, std::uint32_t> numbers_;
  std::vector<Fresh> fresh_;
  absl::flat_hash_map<std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>, std::uint32_t> fresh_numbers_;
  std::vector<std::uint32_t> settled_;
  absl::flat_hash_map<std::uint32_t, std::uint32_t> called_pushes_;  ///< that never return, by value
  std::uint32_t called_pops_ = 0;
  std::uint64_t called_ = 0;  ///< all that never return
  bool has_pending_pops_ = false;
  /// What is looked at first; with less, wrong turns are taken, with more, most of the time goes into what is not
  /// needed.
  std::size_t few_ = 1, most_found_ = 2, most_looked_at_ = 128, most_edges_ = 64;
  std::uint64_t allowed_ = 1;    ///< of what never returns, beyond what the cheapest frontier has spent
  std::uint64_t most_cost_ = 0;  ///< of a frontier in this closure
  bool was_limited_ = false;
  std::vector<State> uncovering_;
  absl::flat_hash_map<std::uint32_t, std::uint32_t> roomiest_;
  std::vector<std::uint32_t> useful_;
  Counts<std::uint32_t, std::less<>, EachOne> spent_;
};

}  // namespace muster
