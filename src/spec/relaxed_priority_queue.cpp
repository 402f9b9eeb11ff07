// States of the relaxed priority queue.

#include <absl/container/flat_hash_map.h>

#include "spec/relaxed_states.hpp"

namespace muster {
namespace {

/// A state is a treap of its items by key and number of skips, with priorities from a hash: equal content has one
/// shape, so that equal parts are shared and equal states have one number (Seidel and Aragon, "Randomized search
/// trees", 1996).
class RelaxedPriorityQueueStates final : public RelaxedStates {
 public:
  RelaxedPriorityQueueStates(unsigned factor, bool largest_first)
      : RelaxedStates(factor), largest_first_(largest_first) {
    nodes_.push_back({});
  }

  StateId initial() override { return 0; }
  std::size_t bytes() const override { return nodes_.capacity() * sizeof(Node) + numbers_.capacity() * 49; }

 private:
  struct Node {
    Ranked item;
    std::uint32_t count = 0;  ///< of equal items
    StateId left = 0, right = 0;
  };

  StateId put(StateId state, Value value) override { return add(state, {value, 0}); }

  /// The items up to the last that a removal may reach: those of the first factor + 1 ranks, equals included.
  void rank(StateId state, std::vector<Ranked>& items) const override { gather(state, items); }

  /// False once there are enough.
  bool gather(StateId state, std::vector<Ranked>& items) const {
    if (state == 0) return true;
    const Node& node = nodes_[state];
    if (!gather(node.left, items)) return false;
    if (items.size() > factor_ && items.back().value != node.item.value) return false;
    items.insert(items.end(), node.count, node.item);
    return gather(node.right, items);
  }

  std::size_t preceding(const std::vector<Ranked>& items, std::size_t index) const override {
    const Value value = items[index].value;
    while (index > 0 && items[index - 1].value == value) --index;
    return index;
  }

  StateId take(StateId state, const std::vector<Ranked>& items, std::size_t index, std::size_t skipped) override {
    state = remove(state, items[index]);
    for (std::size_t i = 0; i < skipped; ++i) state = remove(state, items[i]);
    for (std::size_t i = 0; i < skipped; ++i) state = add(state, {items[i].value, items[i].skips + 1});
    return state;
  }

  static std::uint64_t priority(const Ranked& item) { return mix(item.value.bits(), item.skips); }

  bool before(const Ranked& a, const Ranked& b) const {
    if (a.value == b.value) return a.skips < b.skips;
    return largest_first_ ? b.value < a.value : a.value < b.value;
  }

  StateId make(const Ranked& item, std::uint32_t count, StateId left, StateId right) {
    const auto [found, fresh] = numbers_.try_emplace(std::tuple(item.value, item.skips, count, left, right),
                                                     static_cast<StateId>(nodes_.size()));
    if (fresh) nodes_.push_back({item, count, left, right});
    return found->second;
  }

  StateId add(StateId state, const Ranked& item) {
    const Node node = nodes_[state];
    if (state == 0) return make(item, 1, 0, 0);
    if (node.item.value == item.value && node.item.skips == item.skips)
      return make(item, node.count + 1, node.left, node.right);
    // It is not further down: there all priorities are smaller. Of two items with one priority the first in order is on
    // top, whoever came first.
    const std::uint64_t mine = priority(item), top = priority(node.item);
    if (mine > top || (mine == top && before(item, node.item))) {
      const auto [left, right] = split(state, item);
      return make(item, 1, left, right);
    }
    return before(item, node.item) ? make(node.item, node.count, add(node.left, item), node.right)
                                   : make(node.item, node.count, node.left, add(node.right, item));
  }

  StateId remove(StateId state, const Ranked& item) {
    const Node node = nodes_[state];
    if (node.item.value == item.value && node.item.skips == item.skips)
      return node.count > 1 ? make(item, node.count - 1, node.left, node.right) : join(node.left, node.right);
    return before(item, node.item) ? make(node.item, node.count, remove(node.left, item), node.right)
                                   : make(node.item, node.count, node.left, remove(node.right, item));
  }

  StateId join(StateId left, StateId right) {
    if (left == 0) return right;
    if (right == 0) return left;
    const Node a = nodes_[left], b = nodes_[right];
    return priority(a.item) >= priority(b.item) ? make(a.item, a.count, a.left, join(a.right, right))
                                                : make(b.item, b.count, join(left, b.left), b.right);
  }

  /// What is before the item and what is after it.
  std::pair<StateId, StateId> split(StateId state, const Ranked& item) {
    if (state == 0) return {0, 0};
    const Node node = nodes_[state];
    if (before(item, node.item)) {
      const auto [left, middle] = split(node.left, item);
      return {left, make(node.item, node.count, middle, node.right)};
    }
    const auto [middle, right] = split(node.right, item);
    return {make(node.item, node.count, node.left, middle), right};
  }

  bool largest_first_;
  std::vector<Node> nodes_;
  absl::flat_hash_map<std::tuple<Value, unsigned, std::uint32_t, StateId, StateId>, StateId> numbers_;
};

}  // namespace

std::unique_ptr<StateSpace> relaxed_priority_queue_states(unsigned factor, bool largest_first) {
  return std::make_unique<RelaxedPriorityQueueStates>(factor, largest_first);
}

}  // namespace muster
