#include "judge/quasi/relaxed_order.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace muster {
namespace {

// A history whose items are this much out of order is not near any small factor.
constexpr std::uint64_t most_skips_an_item = 64;
constexpr int most_passes = 4;
constexpr int most_rounds = 60;
constexpr std::int64_t price_of_excess = 24;
constexpr std::size_t shaken_around = 24;  // places on both sides

}  // namespace

RelaxedOrder::RelaxedOrder(const Items& items, Family family) : items_(items), family_(family) {
  const std::size_t count = items.items.size();
  skips_.resize(count);
  skipped_.resize(count);
  call_.resize(2 * count);
  ret_.resize(2 * count);
  place_.assign(2 * count, never);
  for (std::uint32_t item = 0; item < count; ++item) {
    const Item& each = items.items[item];
    call_[2 * item] = each.insert_call;
    ret_[2 * item] = each.insert_return;
    call_[2 * item + 1] = each.remove_call;
    ret_[2 * item + 1] = each.remove_return;
  }
  if (family != Family::stack) {
    std::vector<std::uint32_t> by_key(count);
    std::iota(by_key.begin(), by_key.end(), 0);
    std::ranges::sort(by_key, [&](std::uint32_t a, std::uint32_t b) {
      return family == Family::largest_first ? items.values[b] < items.values[a] : items.values[a] < items.values[b];
    });
    key_.resize(count);
    for (std::uint32_t at = 0; at < count; ++at) key_[by_key[at]] = at;
  }
  order_at_returns();
  counted_ = count_skips();
}

/// Every operation as late as it can be.
void RelaxedOrder::order_at_returns() {
  for (std::uint32_t item = 0; item < items_.items.size(); ++item) {
    order_.push_back(2 * item);
    if (items_.items[item].is_removed()) order_.push_back(2 * item + 1);
  }
  const auto moment = [&](Event event) {
    const Moment latest = removes(event) ? ret_[event] : std::min(ret_[event], ret_[event + 1]);
    return std::pair(latest, removes(event));
  };
  std::ranges::sort(order_, {}, moment);
  for (std::uint32_t at = 0; at < order_.size(); ++at) place_[order_[at]] = at;
}

/// False if there are far too many.
bool RelaxedOrder::count_skips() {
  std::uint64_t left = most_skips_an_item * items_.items.size();
  std::map<std::int64_t, std::uint32_t> inside;  // those that come out first stand first
  for (const Event event : order_) {
    const std::uint32_t item = item_of(event);
    const std::int64_t turn = family_ == Family::stack ? -std::int64_t{place_[2 * item]} : std::int64_t{key_[item]};
    if (!removes(event)) {
      inside.emplace(turn, item);
      continue;
    }
    for (auto other = inside.begin(); other->second != item; ++other) {
      ++skips_[item];
      ++skipped_[other->second];
      if (--left == 0) return false;
    }
    inside.erase(turn);
  }
  return true;
}

RelaxedOrder::Skip RelaxedOrder::skip(Event first, Event second) const {
  const std::uint32_t x = item_of(first), y = item_of(second);
  if (removes(first) && !removes(second)) return {x, y, false};
  if (family_ == Family::stack) {
    if (!removes(second)) return {x, y, place_[first + 1] < place_[second + 1]};
    if (removes(first)) return {x, y, place_[first - 1] < place_[second - 1]};
    return {y, x, true};
  }
  if (!removes(second)) return {x, y, false};
  if (removes(first)) return {x, y, key_[y] < key_[x]};
  return {y, x, key_[x] < key_[y]};
}

bool RelaxedOrder::may_swap(std::size_t at) const {
  const Event first = order_[at], second = order_[at + 1];
  return call_[second] < ret_[first] && item_of(first) != item_of(second);
}

std::int64_t RelaxedOrder::price(std::int64_t count) const {
  const std::int64_t excess = std::max<std::int64_t>(0, count - factor_);
  return count + price_of_excess * excess * excess;
}

std::int64_t RelaxedOrder::add(Skip skip, int change) {
  if (!skip.happens) return 0;
  std::int64_t cost = 0;
  for (std::uint32_t* count : {&skips_[skip.by], &skipped_[skip.item]}) {
    const std::int64_t before = *count, after = before + change;
    cost += price(after) - price(before);
    too_many_ += (after > factor_) - (before > factor_);
    *count = static_cast<std::uint32_t>(after);
  }
  return cost;
}

std::int64_t RelaxedOrder::swap(std::size_t at) {
  const Event first = order_[at], second = order_[at + 1];
  std::int64_t cost = add(skip(first, second), -1);
  cost += add(skip(second, first), 1);
  std::swap(order_[at], order_[at + 1]);
  std::swap(place_[first], place_[second]);
  return cost;
}

bool RelaxedOrder::sift(std::size_t at) {
  const std::size_t start = at;
  std::size_t best_at = at;
  std::int64_t cost = 0, best = 0;
  const auto note = [&] {
    if (cost >= best) return;
    best = cost;
    best_at = at;
  };
  while (at > 0 && may_swap(at - 1)) {
    cost += swap(--at);
    note();
  }
  while (at + 1 < order_.size() && may_swap(at)) {
    cost += swap(at++);
    note();
  }
  while (at > best_at) swap(--at);
  return best_at != start;
}

bool RelaxedOrder::sift_all(Limits& limits) {
  bool moved = false;
  for (std::size_t at = 0; at < order_.size() && !limits.hit([] { return std::size_t{0}; }); ++at) moved |= sift(at);
  return moved;
}

/// Leaves a place where every single move makes it worse.
void RelaxedOrder::shake(std::size_t from, std::size_t to) {
  for (std::size_t i = 0; i < 2 * (to - from); ++i) {
    const std::size_t at = from + rng_.below(to - from - 1);
    if (may_swap(at)) swap(at);
  }
  for (std::size_t at = from; at < to; ++at) sift(at);
}

std::vector<std::size_t> RelaxedOrder::trouble() const {
  std::vector<std::size_t> places;
  std::map<std::int64_t, std::uint32_t> inside;
  for (std::size_t at = 0; at < order_.size(); ++at) {
    const std::uint32_t item = item_of(order_[at]);
    const std::int64_t turn = family_ == Family::stack ? -std::int64_t{place_[2 * item]} : std::int64_t{key_[item]};
    if (!removes(order_[at])) {
      inside.emplace(turn, item);
      continue;
    }
    bool troubled = skips_[item] > factor_;
    for (auto other = inside.begin(); other->second != item; ++other) troubled |= skipped_[other->second] > factor_;
    if (troubled) places.push_back(at);
    inside.erase(turn);
  }
  return places;
}

bool RelaxedOrder::improve(unsigned factor, Limits& limits) {
  if (!counted_) return false;
  factor_ = factor;
  too_many_ = 0;
  for (const auto* counts : {&skips_, &skipped_})
    too_many_ +=
        static_cast<std::uint64_t>(std::ranges::count_if(*counts, [&](std::uint32_t n) { return n > factor; }));
  for (int pass = 0; pass < most_passes && !fits(); ++pass) {
    if (!sift_all(limits)) break;
  }
  // Where nearly everything is in trouble no small change helps, and the time is better spent on a search.
  std::size_t shakes_left = 32 + order_.size() / 8;
  for (int round = 0; round < most_rounds && shakes_left > 0 && !fits() && limits.reason().empty(); ++round) {
    for (const std::size_t at : trouble()) {
      if (shakes_left == 0) break;
      --shakes_left;
      const std::size_t from = at > shaken_around ? at - shaken_around : 0;
      shake(from, std::min(order_.size(), at + shaken_around));
    }
  }
  return fits();
}

unsigned RelaxedOrder::most() const {
  std::uint32_t most = 0;
  for (const auto* counts : {&skips_, &skipped_}) {
    for (const std::uint32_t count : *counts) most = std::max(most, count);
  }
  return most;
}

std::vector<OperationId> RelaxedOrder::operations() const {
  std::vector<OperationId> result;
  for (const Event event : order_) {
    const Item& item = items_.items[item_of(event)];
    result.push_back(removes(event) ? item.remove : item.insert);
  }
  return result;
}

}  // namespace muster
