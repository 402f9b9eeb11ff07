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
    has_pending_pops_ |= act == Act::pop_any && operation.is_pending();
    unpopped_.resize(std::max<std::size_t>(table.size(), 1));
    if (act == Act::push) ++unpopped_[number];
  }
  limit(least_width());
  for (Index op = 0; op < ids.size(); ++op) {
    if (act(op) == Act::pop && unpopped_[value(op)] > 0) --unpopped_[value(op)];
  }
}

void FrontierStack::restart() {
  called_pushes_.clear();
  called_pops_ = 0;
  called_ = 0;
  nodes_kept_ = 0;
  clear_nodes();
}

void FrontierStack::clear_nodes() {
  values_.assign(1, ~std::uint32_t{0});
  first_below_.assign(2, 0);
  below_.clear();
  most_extra_.assign(1, 0);
  alike_.assign(1, 0);
  numbers_.clear();
}

/// `numbers` is not 0 for nodes that states lead to; afterwards it holds new numbers, for these and all below them.
void FrontierStack::keep_nodes(std::vector<std::uint32_t>& numbers) {
  for (auto top = static_cast<std::uint32_t>(values_.size()); top-- > 1;) {
    if (numbers[top] == 0) continue;
    for (const Edge& edge : below_of(top)) numbers[edge.below] = 1;  // they are older
  }
  numbers[0] = 0;
  const std::vector<std::uint32_t> values = std::exchange(values_, {}), first = std::exchange(first_below_, {});
  const std::vector<Edge> all_below = std::exchange(below_, {});
  numbers_ = {};
  clear_nodes();
  std::vector<Edge> below;
  for (std::uint32_t top = 1; top < values.size(); ++top) {
    if (numbers[top] == 0) continue;
    below.clear();
    for (std::uint32_t at = first[top]; at < first[top + 1]; ++at) {
      below.push_back(all_below[at]);
      below.back().below = numbers[below.back().below];
    }
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
  if (act(op) == Act::push || act(op) == Act::pop_any) called_ += static_cast<std::uint64_t>(change);
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
      out.push_back({push(place, spent, value(op), state), spent});
      break;
    case Act::pop:
      uncover(state, spent, value(op) + 1, [&](State found) { pop(found, spent, out); });
      break;
    case Act::pop_any:
      pop(state, spent, out);
      if (empty) out.push_back({state, spent});
      break;
    case Act::look:
      out.push_back({state, spent});
      break;
    default:
      uncover(state, spent, act(op) == Act::peek ? value(op) + 1 : 0, [&](State found) {
        out.push_back({found, spent});
      });
  }
}

template <class F>
void FrontierStack::for_each_below(State state, const F& visit) const {
  for (const Edge& edge : below_of(state.top)) {
    if (edge.extra > state.room) continue;
    State under{edge.below, state.pops + edge.extra, edge.room};
    if (state.room != plenty) under.room = room_at(under.top, std::min(edge.room, state.room - edge.extra));
    visit(under);
  }
}

void FrontierStack::pop(State state, std::uint32_t spent, Steps& out) const {
  for_each_below(state, [&](State under) { out.push_back({under, spent}); });
}

/// Pops that never return take what lies above the nearest items of this value, those first that need few. What they
/// would take before it is needed they can take later as well.
template <class F>
void FrontierStack::uncover(State from, std::uint32_t spent, std::uint32_t wanted, const F& found) {
  const auto on_top = [&](std::uint32_t top) { return top == 0 ? 0 : value_of_node(top) + 1; };
  if (on_top(from.top) == wanted) return found(from);
  const std::uint64_t other_cost = count(spent),
                      most_pops =
                          std::min<std::uint64_t>(called_pops_, most_cost_ > other_cost ? most_cost_ - other_cost : 0);
  if (from.pops >= most_pops) {
    was_limited_ |= from.pops < called_pops_;
    return;
  }
  const auto needs_more = [](State a, State b) { return a.pops > b.pops; };
  std::size_t seen = 0, looked_at = 0;
  uncovering_.assign(1, from);
  roomiest_.clear();
  while (!uncovering_.empty()) {
    std::ranges::pop_heap(uncovering_, needs_more);
    State at = uncovering_.back();
    uncovering_.pop_back();
    const auto [known, is_new] = roomiest_.try_emplace(at.top, at.room);
    if (!is_new && known->second >= at.room) continue;
    known->second = at.room;
    if (seen >= most_found_ || looked_at++ >= most_looked_at_) {
      was_limited_ = true;
      return;
    }
    if (on_top(at.top) == wanted) {
      ++seen;
      found(at);
      continue;
    }
    if (at.top == 0 || unpopped_[value_of_node(at.top)] == 0) continue;
    if (at.pops >= most_pops) {
      was_limited_ |= at.pops < called_pops_;
      continue;
    }
    ++at.pops;
    at.room = std::min(at.room, called_pops_ - at.pops);
    for_each_below(at, [&](State under) {
      uncovering_.push_back(under);
      std::ranges::push_heap(uncovering_, needs_more);
    });
  }
}

void FrontierStack::spend(const Place& place, State state, std::uint32_t spent, Steps& out) {
  if (useful_.empty()) return;
  if (cost(state, spent) >= most_cost_) {
    was_limited_ = true;
    return;
  }
  for (const std::uint32_t value : useful_) {
    if (spent_.count(spent, value) >= called_pushes_.at(value)) continue;
    const std::uint32_t one_more = spent_.more(spent, value);
    out.push_back({push(place, one_more, value, state), one_more});
  }
}

/// All frontiers that push this value in this step, with the same operations behind them, share a node.
FrontierStack::State FrontierStack::push(const Place& place, std::uint32_t spent, std::uint32_t value, State on) {
  const std::tuple key(std::uint64_t{place.level} << 32 | place.marks, std::uint64_t{spent} << 32 | value, on.pops);
  const auto [found, is_new] = fresh_numbers_.try_emplace(key, static_cast<std::uint32_t>(fresh_.size()));
  if (is_new) fresh_.push_back({value, {}});
  std::vector<Edge>& known = fresh_[found->second].below;
  const Edge edge{on.top, 0, on.room};
  if (std::ranges::find(known, edge) == known.end()) known.push_back(edge);
  return {found->second | fresh_bit, on.pops, plenty};
}

/// What is below this state, as seen from one that needed so many pops.
void FrontierStack::gather(State state, std::uint32_t pops) {
  for (Edge edge : below_of(state.top)) {
    if (edge.extra > state.room) continue;
    if (state.room != plenty) edge.room = room_at(edge.below, std::min(edge.room, state.room - edge.extra));
    edge.extra += state.pops - pops;
    gathered_.push_back(edge);
  }
}

std::uint32_t FrontierStack::settled(std::uint32_t top) {
  if (!(top & fresh_bit)) return top;
  const std::uint32_t number = top & ~fresh_bit;
  if (settled_[number] == 0) {
    std::vector<Edge> below = fresh_[number].below;
    for (Edge& edge : below) {
      edge.below = settled(edge.below);
      edge.room = room_at(edge.below, edge.room);
    }
    settled_[number] = node(fresh_[number].value, below);
  }
  return settled_[number];
}

/// Of edges to the same node those stay that need less, or leave more room.
std::uint32_t FrontierStack::node(std::uint32_t value, std::vector<Edge>& below) {
  std::ranges::sort(below, [](const Edge& a, const Edge& b) {
    return std::tuple(a.below, a.extra, ~a.room) < std::tuple(b.below, b.extra, ~b.room);
  });
  const auto is_worse = [](const Edge& better, const Edge& edge) {
    return better.below == edge.below && better.room >= edge.room;
  };
  below.erase(std::unique(below.begin(), below.end(), is_worse), below.end());
  if (below.size() > most_edges_) {
    std::ranges::nth_element(below, below.begin() + static_cast<std::ptrdiff_t>(most_edges_),
                             [](const Edge& a, const Edge& b) {
                               return std::tuple(a.extra, ~a.room, ~a.below) < std::tuple(b.extra, ~b.room, ~b.below);
                             });
    below.resize(most_edges_);
    std::ranges::sort(below);
    was_limited_ = true;
  }
  return add_node(value, below);
}

/// What is below is sorted; numbers grow from below to the top.
std::uint32_t FrontierStack::add_node(std::uint32_t value, std::span<const Edge> below) {
  const std::uint64_t hash = hash_bytes(std::as_bytes(below), value);
  const auto [found, is_new] = numbers_.try_emplace(hash, static_cast<std::uint32_t>(values_.size()));
  for (std::uint32_t known = found->second; !is_new && known != 0; known = alike_[known]) {
    if (values_[known] == value && std::ranges::equal(below_of(known), below)) return known;
  }
  const auto fresh = static_cast<std::uint32_t>(values_.size());
  alike_.push_back(is_new ? 0 : std::exchange(found->second, fresh));
  values_.push_back(value);
  std::uint64_t most_extra = 0;
  for (const Edge& edge : below) most_extra = std::max(most_extra, std::uint64_t{edge.extra} + most_extra_[edge.below]);
  most_extra_.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(most_extra, plenty)));
  below_.insert(below_.end(), below.begin(), below.end());
  first_below_.push_back(static_cast<std::uint32_t>(below_.size()));
  return fresh;
}

}  // namespace muster
