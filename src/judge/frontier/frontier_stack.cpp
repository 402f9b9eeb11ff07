#include "judge/frontier/frontier_stack.hpp"

namespace muster {

FrontierStack::FrontierStack(const Binding& binding, std::span<const OperationId> ids)
    : binding_(binding), ids_(ids), kinds_(ids.size()) {
  ValueTable table(ids.size());
  for (Index op = 0; op < ids.size(); ++op) {
    const Operation& operation = binding.history()[ids[op]];
    const MethodIndex method = binding.method(operation);
    const Value subject = method == 0 ? binding.arguments(operation)[0] : operation.result;
    const bool any = method != 0 && subject.is_none();
    const Act act = method == 0                       ? Act::push
                    : method == 1 && any              ? Act::pop_any
                    : method == 1 && subject.is_nil() ? Act::find_nothing
                    : method == 1                     ? Act::pop
                    : any                             ? Act::look
                    : subject.is_nil()                ? Act::find_nothing
                                                      : Act::peek;
    const bool has_value = act == Act::push || act == Act::pop || act == Act::peek;
    const std::uint32_t number = has_value ? table.number(subject) : 0;
    kinds_[op] = number << 3 | static_cast<std::uint32_t>(act);
    unpopped_.resize(std::max<std::size_t>(table.size(), 1));
    if (act == Act::push) ++unpopped_[number];
  }
  for (Index op = 0; op < ids.size(); ++op) {
    if (act(op) == Act::pop && unpopped_[value(op)] > 0) --unpopped_[value(op)];
  }
}

void FrontierStack::restart() {
  called_pushes_.clear();
  called_pops_ = 0;
  nodes_kept_ = 0;
  clear_nodes();
}

void FrontierStack::clear_nodes() {
  values_.assign(1, ~std::uint32_t{0});
  first_below_.assign(2, 0);
  below_.clear();
  alike_.assign(1, 0);
  numbers_.clear();
}

/// `numbers` is not 0 for nodes that states lead to; afterwards it holds new numbers, for these and all below them.
void FrontierStack::keep_nodes(std::vector<std::uint32_t>& numbers) {
  for (auto top = static_cast<std::uint32_t>(values_.size()); top-- > 1;) {
    if (numbers[top] == 0) continue;
    for (const std::uint32_t below : below_of(top)) numbers[below] = 1;  // they are older
  }
  numbers[0] = 0;
  const std::vector<std::uint32_t> values = std::exchange(values_, {}), first = std::exchange(first_below_, {}),
                                   all_below = std::exchange(below_, {});
  numbers_ = {};
  clear_nodes();
  std::vector<std::uint32_t> below;
  for (std::uint32_t top = 1; top < values.size(); ++top) {
    if (numbers[top] == 0) continue;
    below.clear();
    for (std::uint32_t at = first[top]; at < first[top + 1]; ++at) below.push_back(numbers[all_below[at]]);
    numbers[top] = add_node(values[top], below);
  }
  nodes_kept_ = values_.size();
}

bool FrontierStack::is_free(State state, Index op) const {
  if (act(op) == Act::look) return true;
  if (act(op) == Act::find_nothing) return state.top == 0;
  return act(op) == Act::peek && state.top != 0 && value_of_node(state.top) == value(op);
}

void FrontierStack::count_for_ever(Index op, int change) {
  if (act(op) == Act::push) called_pushes_[value(op)] += static_cast<std::uint32_t>(change);
  if (act(op) == Act::pop_any) called_pops_ += static_cast<std::uint32_t>(change);
}

void FrontierStack::all_are_useful() {
  useful_.clear();
  for (const auto& [value, count] : called_pushes_) useful_.push_back(value);
  std::ranges::sort(useful_);
}

void FrontierStack::step(const Place& place, State state, std::uint32_t spent, Index op, Steps& out) {
  const bool empty = state.top == 0;
  switch (act(op)) {
    case Act::push:
      out.push_back({{push(place, spent, value(op), state.top)}, spent});
      break;
    case Act::pop:
      if (empty || value_of_node(state.top) != value(op)) break;
      [[fallthrough]];
    case Act::pop_any:
      for (const std::uint32_t below : below_of(state.top)) out.push_back({{below}, spent});
      if (empty) out.push_back({state, spent});
      break;
    default:
      if (is_free(state, op)) out.push_back({state, spent});
  }
}

void FrontierStack::spend(const Place& place, State state, std::uint32_t spent, Steps& out) {
  if (state.top != 0 && unpopped_[value_of_node(state.top)] > 0 && spent_.count(spent, pops) < called_pops_) {
    const std::uint32_t one_more = spent_.more(spent, pops);
    for (const std::uint32_t below : below_of(state.top)) out.push_back({{below}, one_more});
  }
  for (const std::uint32_t value : useful_) {
    if (spent_.count(spent, value) >= called_pushes_.at(value)) continue;
    const std::uint32_t one_more = spent_.more(spent, value);
    out.push_back({{push(place, one_more, value, state.top)}, one_more});
  }
}

/// All frontiers that push this value in this step, with the same operations behind them, share a node.
std::uint32_t FrontierStack::push(const Place& place, std::uint32_t spent, std::uint32_t value, std::uint32_t below) {
  const std::tuple key(std::uint64_t{place.level} << 32 | place.marks, std::uint64_t{spent} << 32 | value);
  const auto [found, is_new] = fresh_numbers_.try_emplace(key, static_cast<std::uint32_t>(fresh_.size()));
  if (is_new) fresh_.push_back({value, {}});
  std::vector<std::uint32_t>& known = fresh_[found->second].below;
  if (std::ranges::find(known, below) == known.end()) known.push_back(below);
  return found->second | fresh_bit;
}

std::uint32_t FrontierStack::settled(std::uint32_t top) {
  if (!(top & fresh_bit)) return top;
  const std::uint32_t number = top & ~fresh_bit;
  if (settled_[number] == 0) {
    std::vector<std::uint32_t> below = fresh_[number].below;
    for (std::uint32_t& under : below) under = settled(under);
    settled_[number] = node(fresh_[number].value, std::move(below));
  }
  return settled_[number];
}

std::uint32_t FrontierStack::node(std::uint32_t value, std::vector<std::uint32_t> below) {
  std::ranges::sort(below);
  below.erase(std::unique(below.begin(), below.end()), below.end());
  return add_node(value, below);
}

/// What is below is sorted; numbers grow from below to the top.
std::uint32_t FrontierStack::add_node(std::uint32_t value, std::span<const std::uint32_t> below) {
  const std::uint64_t hash = hash_bytes(std::as_bytes(below), value);
  const auto [found, is_new] = numbers_.try_emplace(hash, static_cast<std::uint32_t>(values_.size()));
  for (std::uint32_t known = found->second; !is_new && known != 0; known = alike_[known]) {
    if (values_[known] == value && std::ranges::equal(below_of(known), below)) return known;
  }
  const auto fresh = static_cast<std::uint32_t>(values_.size());
  alike_.push_back(is_new ? 0 : std::exchange(found->second, fresh));
  values_.push_back(value);
  below_.insert(below_.end(), below.begin(), below.end());
  first_below_.push_back(static_cast<std::uint32_t>(below_.size()));
  return fresh;
}

}  // namespace muster
