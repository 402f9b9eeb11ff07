// States of the relaxed queue and the relaxed stack.

#include <absl/container/flat_hash_map.h>

#include "spec/chains.hpp"
#include "spec/relaxed_states.hpp"

namespace muster {
namespace {

/// Only the first items of a queue can have been skipped, and each less often than those before it: a state is those,
/// and a row of untouched ones behind them that it shares with other states.
class RelaxedQueueStates final : public RelaxedStates {
 public:
  using RelaxedStates::RelaxedStates;

  StateId initial() override { return number({}, 0, 0); }

  std::size_t bytes() const override {
    return chains_.bytes() + states_.capacity() * sizeof(State) + skipped_.capacity() * sizeof(Ranked) +
           by_content_.capacity() * 17;
  }

 private:
  struct State {
    std::uint32_t first, count;  ///< of the skipped items in skipped_
    Chains::Node back;
    std::uint32_t length;  ///< of the untouched row
  };

  StateId put(StateId id, Value value) override {
    const State state = states_[id];
    return number(skipped(state), chains_.put(state.back, value), state.length + 1);
  }

  void rank(StateId id, std::vector<Ranked>& items) const override {
    const State state = states_[id];
    items.assign(skipped_.begin() + state.first, skipped_.begin() + state.first + state.count);
    const std::uint32_t more = std::min<std::uint32_t>(
        state.length, items.size() > factor_ ? 0 : factor_ + 1 - static_cast<unsigned>(items.size()));
    if (more == 0) return;
    items.resize(state.count + more);
    Chains::Node node = chains_.above(state.back, state.length - more);
    for (std::uint32_t i = more; i-- > 0; node = chains_.parent(node))
      items[state.count + i] = {chains_.value(node), 0};
  }

  StateId take(StateId id, const std::vector<Ranked>& items, std::size_t index, std::size_t passed) override {
    const State state = states_[id];
    row_.assign(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(passed));
    for (Ranked& item : row_) ++item.skips;
    std::uint32_t length = state.length;
    if (index < state.count) {
      row_.insert(row_.end(), items.begin() + static_cast<std::ptrdiff_t>(index) + 1, items.begin() + state.count);
    } else {
      length -= static_cast<std::uint32_t>(index) - state.count + 1;
    }
    return number(row_, state.back, length);
  }

  std::span<const Ranked> skipped(const State& state) {
    row_.assign(skipped_.begin() + state.first, skipped_.begin() + state.first + state.count);
    return row_;
  }

  StateId number(std::span<const Ranked> row, Chains::Node back, std::uint32_t length) {
    if (length == 0) back = 0;
    std::uint64_t hash = mix(chains_.hash(back, length), length);
    for (const Ranked& item : row) hash = mix(hash ^ item.skips, item.value.bits());
    const auto [found, fresh] = by_content_.try_emplace(hash, static_cast<StateId>(states_.size()));
    for (StateId known = found->second; !fresh && known != nobody; known = next_alike_[known]) {
      if (same(states_[known], row, back, length)) return known;
    }
    const auto made = static_cast<StateId>(states_.size());
    states_.push_back(
        {static_cast<std::uint32_t>(skipped_.size()), static_cast<std::uint32_t>(row.size()), back, length});
    skipped_.insert(skipped_.end(), row.begin(), row.end());
    next_alike_.push_back(fresh ? nobody : std::exchange(found->second, made));
    return made;
  }

  bool same(const State& state, std::span<const Ranked> row, Chains::Node back, std::uint32_t length) const {
    if (state.count != row.size() || state.length != length) return false;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Ranked& item = skipped_[state.first + i];
      if (item.value != row[i].value || item.skips != row[i].skips) return false;
    }
    return chains_.same(state.back, back, length);
  }

  static constexpr StateId nobody = ~StateId{0};

  Chains chains_;
  std::vector<State> states_;
  std::vector<Ranked> skipped_;
  std::vector<StateId> next_alike_;
  absl::flat_hash_map<std::uint64_t, StateId> by_content_;
  std::vector<Ranked> row_;
};

/// A state is its topmost item, with how often that was skipped, on top of another state.
class RelaxedStackStates final : public RelaxedStates {
 public:
  explicit RelaxedStackStates(unsigned factor) : RelaxedStates(factor) { nodes_.push_back({}); }

  StateId initial() override { return 0; }
  std::size_t bytes() const override { return nodes_.capacity() * sizeof(Node) + children_.capacity() * 33; }

 private:
  struct Node {
    StateId below = 0;
    Ranked item;
  };

  StateId put(StateId state, Value value) override { return on_top(state, {value, 0}); }

  void rank(StateId state, std::vector<Ranked>& items) const override {
    for (; state != 0 && items.size() <= factor_; state = nodes_[state].below) items.push_back(nodes_[state].item);
  }

  StateId take(StateId state, const std::vector<Ranked>& items, std::size_t index, std::size_t) override {
    for (std::size_t i = 0; i <= index; ++i) state = nodes_[state].below;
    while (index-- > 0) state = on_top(state, {items[index].value, items[index].skips + 1});
    return state;
  }

  StateId on_top(StateId below, Ranked item) {
    const auto [found, fresh] =
        children_.try_emplace({below, item.skips, item.value}, static_cast<StateId>(nodes_.size()));
    if (fresh) nodes_.push_back({below, item});
    return found->second;
  }

  std::vector<Node> nodes_;
  absl::flat_hash_map<std::tuple<StateId, unsigned, Value>, StateId> children_;
};

}  // namespace

std::unique_ptr<StateSpace> relaxed_queue_states(unsigned factor) {
  return std::make_unique<RelaxedQueueStates>(factor);
}
std::unique_ptr<StateSpace> relaxed_stack_states(unsigned factor) {
  return std::make_unique<RelaxedStackStates>(factor);
}

}  // namespace muster
