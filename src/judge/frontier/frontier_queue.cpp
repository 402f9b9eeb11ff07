#include "judge/frontier/frontier_queue.hpp"

#include <algorithm>

namespace muster {

FrontierQueue::FrontierQueue(const Binding& binding, std::span<const OperationId> ids)
    : binding_(binding), ids_(ids), kinds_(ids.size()), slot_(ids.size()) {
  number_values();
  number_insertions();
}

void FrontierQueue::number_values() {
  ValueTable table(ids_.size());
  for (Index op = 0; op < ids_.size(); ++op) {
    const MethodIndex method = binding_.method(operation(op));
    const Value subject = method == 0 ? binding_.arguments(operation(op))[0] : operation(op).result;
    const bool any = method != 0 && subject.is_none();
    const Act act = method == 0          ? Act::insert
                    : method == 1 && any ? Act::remove_any
                    : any                ? Act::look
                    : subject.is_nil()   ? Act::find_nothing
                    : method == 1        ? Act::remove
                                         : Act::peek;
    const bool has_value = act == Act::insert || act == Act::remove || act == Act::peek;
    const std::uint32_t number = has_value ? table.number(subject) : 0;
    kinds_[op] = number << 3 | static_cast<std::uint32_t>(act);
    has_pending_removals_ |= act == Act::remove_any && operation(op).is_pending();
  }
  left_.resize(table.size() + 1);
  for (Index op = 0; op < ids_.size(); ++op) left_[value(op)] += act(op) == Act::insert;
  for (Index op = 0; op < ids_.size(); ++op) {
    if (act(op) == Act::remove && left_[value(op)] > 0) --left_[value(op)];
  }
}

void FrontierQueue::number_insertions() {
  const std::vector<std::uint32_t> events = timeline(binding_.history(), ids_);
  const auto visit = [&](auto&& call, auto&& ret) {
    for (const std::uint32_t event : events) {
      const Index op = event >> 1;
      if (act(op) != Act::insert || operation(op).is_pending()) continue;
      event & 1 ? ret(op) : call(op);
    }
  };
  std::vector<std::uint16_t> free;
  visit(
      [&](Index op) {
        if (free.empty() && slots_ <= most_slots) free.push_back(static_cast<std::uint16_t>(slots_++));
        if (slots_ > most_slots) return;
        slot_[op] = free.back();
        free.pop_back();
      },
      [&](Index op) {
        returns_.push_back(op);
        free.push_back(slot_[op]);
      });
  if (!applies()) return;
  std::vector<Index> open(slots_, nobody);
  open_.reserve(returns_.size() * slots_);
  visit([&](Index op) { open[slot_[op]] = op; },
        [&](Index op) {
          open_.insert(open_.end(), open.begin(), open.end());
          open[slot_[op]] = nobody;
        });
  spares_.resize(left_.size());
  insertions_.resize(has_pending_removals_ ? left_.size() : 0);
  for (Index op = 0; op < ids_.size(); ++op) {
    if (act(op) != Act::insert) continue;
    if (operation(op).is_pending()) {
      spares_[value(op)].push_back(op);
    } else if (has_pending_removals_) {
      insertions_[value(op)].push_back(op);
    }
  }
  const auto by_call = [&](std::vector<Index>& ops) {
    std::ranges::sort(ops, {}, [&](Index op) { return called(op); });
  };
  std::ranges::for_each(spares_, by_call);
  std::ranges::for_each(insertions_, by_call);
}

bool FrontierQueue::is_free(State state, Index op) const {
  if (act(op) == Act::look) return true;
  if (act(op) == Act::find_nothing) return state.hand == 0 && horizon(state) >= now_;
  return act(op) == Act::peek && state.hand == value(op) + 1;
}

void FrontierQueue::skip_taken(State& state) const {
  while (state.next < returns_.size()) {
    const std::uint64_t bit = std::uint64_t{1} << slot_[returns_[state.next]];
    if (!(state.taken & bit)) return;
    state.taken ^= bit;
    ++state.next;
  }
}

void FrontierQueue::take(State& state, Index op) const {
  state.taken |= std::uint64_t{1} << slot_[op];
  skip_taken(state);
}

bool FrontierQueue::spend_removals(std::uint32_t count, std::uint32_t& spent) {
  if (spent_.count(spent, removals) + count > called_removals_) return false;
  for (; count > 0; --count) spent = spent_.more(spent, removals);
  return true;
}

bool FrontierQueue::clear_hand(State& state, std::uint32_t& spent) {
  if (state.hand == 0) return true;
  if (left_[state.hand - 1] == 0 || !spend_removals(1, spent)) return false;
  state.hand = 0;
  return true;
}

bool FrontierQueue::clear_until(Position end, State& state, std::uint32_t& spent) {
  std::uint32_t count = 0;
  while (horizon(state) < end) {
    const Index op = returns_[state.next];
    if (left_[value(op)] == 0 || ++count > called_removals_) return false;
    take(state, op);
  }
  return spend_removals(count, spent);
}

/// Takes an insertion that never returns: the one that was called first, which has the fewest predecessors.
template <class F>
void FrontierQueue::take_spare(State state, std::uint32_t spent, std::uint32_t value, F&& then) {
  if (spares_[value].empty()) return;
  const std::uint32_t used = spent_.count(spent, value);
  if (used >= spares_[value].size()) return;
  const Index op = spares_[value][used];
  if (called(op) > now_ || !clear_until(called(op), state, spent)) return;
  then(state, spent_.more(spent, value));
}

/// Calls `then` with each state after an item of this value was taken.
template <class F>
void FrontierQueue::take_value(State state, std::uint32_t spent, std::uint32_t value, F&& then) {
  Position first_return = never;
  Index best = nobody;
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    const Index op = open_at(state, slot);
    if (op == nobody || (state.taken >> slot & 1) || this->value(op) != value || called(op) > now_) continue;
    if (returned(op) < first_return) {
      first_return = returned(op);
      best = op;
    }
  }
  if (best != nobody) {
    State taken = state;
    take(taken, best);
    then(taken, spent);
  } else {
    take_spare(state, spent, value, then);
  }
  if (!has_pending_removals_ || called_removals_ == spent_.count(spent, removals)) return;
  // What stands behind others, if pending removals took those: not behind one that would do itself.
  const auto& ops = insertions_[value];
  auto at = std::ranges::upper_bound(ops, horizon(state), {}, [&](Index op) { return called(op); });
  for (; at != ops.end() && called(*at) < std::min(first_return, now_); ++at) {
    if (returned(*at) > first_return) continue;
    first_return = returned(*at);
    State taken = state;
    std::uint32_t spent_then = spent;
    if (!clear_until(called(*at), taken, spent_then)) return;
    take(taken, *at);
    then(taken, spent_then);
  }
}

/// What an answer that was not recorded may have been: what is in the hand; or any that stands in front; or nothing.
void FrontierQueue::take_any(State state, std::uint32_t spent, Steps& out) {
  if (state.hand != 0) {
    state.hand = 0;
    out.push_back({state, spent});
    return;
  }
  if (horizon(state) >= now_) out.push_back({state, spent});
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    const Index item = open_at(state, slot);
    if (item == nobody || (state.taken >> slot & 1) || called(item) > now_) continue;
    State taken = state;
    take(taken, item);
    out.push_back({taken, spent});
  }
  for (std::uint32_t value = 0; value < spares_.size(); ++value) {
    take_spare(state, spent, value, [&](State after, std::uint32_t spent_then) { out.push_back({after, spent_then}); });
  }
}

void FrontierQueue::step(const Place&, State state, std::uint32_t spent, Index op, Steps& out) {
  const Act what = act(op);
  if (is_free(state, op)) {
    out.push_back({state, spent});
    return;
  }
  if (what == Act::remove_any) {
    take_any(state, spent, out);
    return;
  }
  if (what == Act::remove && state.hand == value(op) + 1) {
    state.hand = 0;
    out.push_back({state, spent});
    return;
  }
  if (!clear_hand(state, spent)) return;
  if (what == Act::find_nothing) {
    if (clear_until(now_, state, spent)) out.push_back({state, spent});
    return;
  }
  take_value(state, spent, value(op), [&](State after, std::uint32_t spent_then) {
    if (what == Act::peek) after.hand = value(op) + 1;
    out.push_back({after, spent_then});
  });
}

}  // namespace muster
