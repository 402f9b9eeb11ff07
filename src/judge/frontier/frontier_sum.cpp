#include "judge/frontier/frontier_sum.hpp"

#include <algorithm>

#include "spec/modelled.hpp"

namespace muster {
namespace {

constexpr std::size_t most_slots = 64;
constexpr std::int64_t largest_sum = std::int64_t{1} << 60;
constexpr std::uint32_t most_sums = 1 << 18;
constexpr std::int64_t widest_table = 1 << 16;

}  // namespace

FrontierSum::FrontierSum(const Binding& binding, std::span<const OperationId> ids)
    : binding_(binding), ids_(ids), slot_(ids.size()) {
  const Value initial = binding.spec().initial_value();
  initial_ = initial.is_integer() ? initial.as_integer() : 0;
  std::int64_t all = std::abs(initial_);
  for (Index op = 0; op < ids.size(); ++op) {
    ops_.push_back(described(op));
    const std::int64_t amount = ops_.back().amount;
    only_grows_ &= amount >= 0;
    applies_ &= std::abs(amount) < largest_sum - all;
    if (!applies_) return;
    all += std::abs(amount);
  }
  std::size_t open = 0;
  for (const std::uint32_t event : timeline(binding.history(), ids)) {
    if (!is_deferred(event >> 1) || operation(event >> 1).is_pending()) continue;
    open += event & 1 ? -1 : 1;
    applies_ &= open <= most_slots;
  }
}

FrontierSum::Op FrontierSum::described(Index op) const {
  const Operation& mine = operation(op);
  const MethodIndex method = binding_.method(mine);
  const Value answer = mine.result;
  if (method == 0) {
    if (answer.is_none()) return {Act::look, 0, 0};
    if (!answer.is_integer()) return {Act::impossible, 0, 0};
    return {Act::exact, answer.as_integer(), 0};
  }
  const std::int64_t given = amount(binding_.arguments(mine)), added = method == 2 ? -given : given;
  if (mine.is_pending() || answer.is_none()) return {Act::add, 0, added};
  if (!answer.is_integer()) return {Act::impossible, 0, added};
  return {Act::exact, answer.as_integer() - (binding_.spec().sums() == Sums::after ? added : 0), added};
}

void FrontierSum::restart() {
  open_.clear();
  spares_.clear();
  free_.clear();
  for (std::size_t slot = most_slots; slot > 0; --slot) free_.push_back(static_cast<std::uint8_t>(slot - 1));
}

void FrontierSum::called_for_ever(Index op) {
  if (ops_[op].act == Act::add && ops_[op].amount != 0) ++spares_[ops_[op].amount];
}

void FrontierSum::uncalled_for_ever(Index op) {
  if (ops_[op].act == Act::add && ops_[op].amount != 0) --spares_[ops_[op].amount];
}

void FrontierSum::called_deferred(Index op) {
  slot_[op] = free_.back();
  free_.pop_back();
  const auto place = std::ranges::upper_bound(open_, op, [&](Index a, Index b) {
    return ops_[a].amount != ops_[b].amount ? ops_[a].amount > ops_[b].amount : operation(a).ret < operation(b).ret;
  });
  open_.insert(place, op);
}

void FrontierSum::returned_deferred(State& state, Index op) const {
  const std::uint64_t bit = std::uint64_t{1} << slot_[op];
  if (!(state.taken & bit)) state.sum += ops_[op].amount;
  state.taken &= ~bit;
}

/// Slots are given back and asked for in opposite orders, forwards and backwards, so each comes back to its own.
void FrontierSum::uncalled_deferred(Index op) {
  free_.push_back(slot_[op]);
  std::erase(open_, op);
}

void FrontierSum::limit(std::size_t width) {
  most_steps_ = width > std::size_t{1} << 20 ? width : 2 * width + 4;
  was_limited_ = false;
}

/// Large ones leave the least to choose; sorting also makes the order that of every run.
constexpr auto larger_first = [](const auto& a, const auto& b) {
  return std::abs(a.amount) != std::abs(b.amount) ? std::abs(a.amount) > std::abs(b.amount) : a.amount > b.amount;
};

void FrontierSum::find_groups(State state) {
  groups_.clear();
  for (const Index op : open_) {
    if (ops_[op].amount == 0 || (state.taken >> slot_[op] & 1)) continue;
    // They are sorted by amount.
    if (groups_.empty() || groups_.back().amount != ops_[op].amount) groups_.push_back({ops_[op].amount, {}, 0, 0});
    groups_.back().open.push_back(op);
  }
  std::ranges::sort(groups_, larger_first);
  std::int64_t least = 0, most = 0;
  for (auto group = groups_.rbegin(); group != groups_.rend(); ++group) {
    const std::int64_t all = group->amount * static_cast<std::int64_t>(group->open.size());
    group->least = least += std::min<std::int64_t>(all, 0);
    group->most = most += std::max<std::int64_t>(all, 0);
  }
}

void FrontierSum::find_spares(std::uint32_t spent) {
  unspent_.clear();
  for (const auto& [amount, called] : spares_) {
    const std::uint32_t used = spent_.count(spent, amount);
    if (used < called) unspent_.push_back({amount, called - used, amount, amount, 0});
  }
  std::ranges::sort(unspent_, [](const Spare& a, const Spare& b) { return larger_first(b, a); });
  for (std::size_t at = unspent_.size(); at-- > 1;) {
    unspent_[at - 1].least = std::min(unspent_[at - 1].least, unspent_[at].least);
    unspent_[at - 1].most = std::max(unspent_[at - 1].most, unspent_[at].most);
  }
}

/// Which sums the groups can make: without them a search among many amounts would try all subsets.
void FrontierSum::find_sums() {
  sums_.clear();
  if (groups_.size() < 2 || groups_[0].most - groups_[0].least > widest_table) return;
  sums_.resize(groups_.size() + 1);
  sums_.back() = {true};
  std::int64_t least = 0;
  for (std::size_t at = groups_.size(); at-- > 0;) {
    const Group& group = groups_[at];
    const auto size = static_cast<std::size_t>(group.most - group.least + 1);
    std::vector<bool>& sums = sums_[at];
    sums.assign(size, false);
    for (std::size_t later = 0; later < sums_[at + 1].size(); ++later) {
      if (sums_[at + 1][later]) sums[later + static_cast<std::size_t>(least - group.least)] = true;
    }
    // Each further one of the group adds its amount to all that was made with one less.
    std::vector<std::uint32_t> used(size, 0);
    const std::int64_t step = group.amount;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t to = step > 0 ? i : size - 1 - i;
      const std::int64_t from = static_cast<std::int64_t>(to) - step;
      if (sums[to] || from < 0 || from >= static_cast<std::int64_t>(size)) continue;
      if (!sums[static_cast<std::size_t>(from)] || used[static_cast<std::size_t>(from)] >= group.open.size()) continue;
      sums[to] = true;
      used[to] = used[static_cast<std::size_t>(from)] + 1;
    }
    least = group.least;
  }
}

bool FrontierSum::can_make(std::int64_t rest, std::size_t group) const {
  if (group == groups_.size()) return rest == 0;
  if (rest < groups_[group].least || rest > groups_[group].most) return false;
  return sums_.empty() || sums_[group][static_cast<std::size_t>(rest - groups_[group].least)];
}

bool FrontierSum::is_limited(const Steps& out) {
  if (out.size() < most_steps_ && nodes_ <= most_sums) return false;
  was_limited_ = true;
  return true;
}

/// All ways to add `rest`, those first that spend the least: what never returns can still be taken later.
void FrontierSum::make(std::int64_t rest, State state, std::uint32_t spent, std::int64_t then, Steps& out) {
  std::uint32_t spares = 0;
  for (const Spare& spare : unspent_) spares += spare.left;
  for (std::uint32_t count = 0; count <= spares && !is_limited(out); ++count)
    make_with_spares(rest, 0, count, state, spent, then, out);
}

/// With so many that never return, from the one at `at` on.
void FrontierSum::make_with_spares(std::int64_t rest, std::size_t at, std::uint32_t left, State state,
                                   std::uint32_t spent, std::int64_t then, Steps& out) {
  if (left == 0) {
    if (!can_make(rest, 0)) return;
    for (std::size_t before = 0; before < at; ++before) {
      for (std::uint32_t count = 0; count < unspent_[before].used; ++count) {
        spent = spent_.more(spent, unspent_[before].amount);
        state.sum += unspent_[before].amount;
      }
    }
    make_of_open(rest, 0, state, spent, then, out);
    return;
  }
  if (at == unspent_.size()) return;
  ++nodes_;
  if (is_limited(out)) return;
  Spare& spare = unspent_[at];
  const std::int64_t least = groups_.empty() ? 0 : groups_[0].least, most = groups_.empty() ? 0 : groups_[0].most;
  if (rest - left * spare.most > most || rest - left * spare.least < least) return;
  for (std::uint32_t count = std::min(left, spare.left) + 1; count-- > 0;) {
    spare.used = count;
    make_with_spares(rest - count * spare.amount, at + 1, left - count, state, spent, then, out);
  }
}

/// Of open additions alone, of each amount those first that must return first.
void FrontierSum::make_of_open(std::int64_t rest, std::size_t group, State state, std::uint32_t spent,
                               std::int64_t then, Steps& out) {
  if (!can_make(rest, group)) return;
  ++nodes_;
  if (is_limited(out)) return;
  if (group == groups_.size()) {
    state.sum += then;
    out.push_back({state, spent});
    return;
  }
  const Group& mine = groups_[group];
  for (std::size_t count = 0;; ++count) {
    make_of_open(rest, group + 1, state, spent, then, out);
    if (count == mine.open.size()) return;
    state.taken |= std::uint64_t{1} << slot_[mine.open[count]];
    state.sum += mine.amount;
    rest -= mine.amount;
  }
}

void FrontierSum::step(const Place&, State state, std::uint32_t spent, Index op, Steps& out) {
  if (ops_[op].act == Act::look) {
    out.push_back({state, spent});
  } else if (ops_[op].act == Act::exact) {
    nodes_ = 0;
    find_groups(state);
    find_spares(spent);
    find_sums();
    make(ops_[op].sum - state.sum, state, spent, ops_[op].amount, out);
  }
}

}  // namespace muster
