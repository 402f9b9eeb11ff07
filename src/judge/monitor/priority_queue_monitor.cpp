// Priority queues of distinct values in O(n log n). An item is held back only by items that come before it, so items
// are looked at in the order in which the queue prefers them. Its removal, and whoever peeked at it, needs a moment at
// which no item that comes before it is certainly inside; and at such a moment none need be inside, by the argument of
// covered_empty. So the history is linearizable iff each such operation has a moment that the critical intervals of
// earlier items leave bare.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "judge/monitor/container_monitors.hpp"

namespace muster {
namespace {

/// Gaps between moments that no critical interval has covered yet: gap g lies between moments g and g + 1.
class BareGaps {
 public:
  explicit BareGaps(Moment moments) : next_(moments + 2) { std::iota(next_.begin(), next_.end(), 0); }

  Moment first_from(Moment gap) {
    while (next_[gap] != gap) gap = next_[gap] = next_[next_[gap]];
    return gap;
  }
  void prefetch(Moment gap) const {
    if (gap < next_.size()) __builtin_prefetch(&next_[gap]);
  }
  bool has_any(Moment first, Moment end) { return first < end && first_from(first) < end; }
  void cover(Moment first, Moment end) {
    for (Moment gap = first_from(first); gap < end; gap = first_from(gap)) next_[gap] = gap + 1;
  }

 private:
  std::vector<Moment> next_;
};

/// Items in the order in which the queue gives them.
std::vector<std::uint32_t> by_preference(const Items& items, bool largest_first) {
  std::vector<std::uint32_t> order(items.items.size());
  std::iota(order.begin(), order.end(), 0);
  const bool integers = std::ranges::all_of(items.values, &Value::is_integer);
  if (integers) {
    std::vector<std::pair<std::int64_t, std::uint32_t>> keys;
    keys.reserve(order.size());
    for (const std::uint32_t item : order) keys.emplace_back(items.values[item].as_integer(), item);
    if (!std::ranges::is_sorted(keys)) std::ranges::sort(keys);
    std::ranges::transform(keys, order.begin(), &std::pair<std::int64_t, std::uint32_t>::second);
  } else {
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return items.values[a] < items.values[b]; });
  }
  if (largest_first) std::ranges::reverse(order);
  return order;
}

}  // namespace

Monitored monitor_priority_queue(const Items& items, const Binding& binding, bool largest_first, Limits* limits) {
  if (auto early = removed_too_early(items, binding)) return {true, std::move(early)};
  constexpr std::uint32_t none = ~std::uint32_t{0};
  std::vector<std::uint32_t> first_peek(items.peeks.empty() ? 0 : items.items.size(), none),
      next_peek(items.peeks.size());
  for (std::uint32_t peek = 0; peek < items.peeks.size(); ++peek) {
    next_peek[peek] = std::exchange(first_peek[items.peeks[peek].item], peek);
  }
  const Moment end = items.end();
  BareGaps bare(end);
  std::vector<std::uint32_t> seen;
  const std::vector<std::uint32_t> order = by_preference(items, largest_first);
  for (std::size_t at = 0; at < order.size(); ++at) {
    step(limits);
    // Preference has nothing to do with where items lie in memory: they are asked for some time before, then what they
    // need.
    constexpr std::size_t ahead = 12;
    if (at + 2 * ahead < order.size()) __builtin_prefetch(&items.items[order[at + 2 * ahead]]);
    if (at + ahead < order.size()) {
      bare.prefetch(items.items[order[at + ahead]].insert_return);
      bare.prefetch(items.items[order[at + ahead]].remove_call);
    }
    const std::uint32_t number = order[at];
    const Item& item = items.items[number];
    if (item.insert_call == never) continue;
    // Certainly inside from the first return to the last call of all that concern it.
    Moment inside_from = std::min(item.insert_return, item.remove_return);
    Moment inside_to = std::max(item.insert_call, item.is_removed() ? item.remove_call : end);
    const auto peeks = [&](auto&& take) {
      if (first_peek.empty()) return true;
      for (std::uint32_t peek = first_peek[number]; peek != none; peek = next_peek[peek]) {
        if (!take(items.peeks[peek])) return false;
      }
      return true;
    };
    peeks([&](const Peek& peek) {
      inside_from = std::min(inside_from, peek.ret);
      inside_to = std::max(inside_to, peek.call);
      return true;
    });
    OperationId misfit = never;
    if (item.is_removed() && !bare.has_any(inside_to, std::min(item.remove_return, end))) misfit = item.remove;
    peeks([&](const Peek& peek) {
      if (!bare.has_any(std::max(peek.call, item.insert_call), std::min(peek.ret, item.remove_return)))
        misfit = peek.id;
      return misfit == never;
    });
    if (misfit != never) {
      Counterexample result;
      seen.push_back(number);
      std::vector<char> is_seen(items.items.size());
      for (const std::uint32_t other : seen) is_seen[other] = 1;
      for (const std::uint32_t other : seen) {
        result.operations.push_back(items.items[other].insert);
        if (items.items[other].is_removed()) result.operations.push_back(items.items[other].remove);
      }
      for (const Peek& peek : items.peeks) {
        if (is_seen[peek.item]) result.operations.push_back(peek.id);
      }
      result.misfits = {misfit};
      result.reason =
          fmt::format("{} while something that comes first was certainly inside", to_string(binding.history(), misfit));
      return {true, std::move(result)};
    }
    if (inside_from < inside_to) bare.cover(inside_from, std::min(inside_to, end));
    seen.push_back(number);
  }
  for (const Empty& empty : items.empties) {
    if (bare.has_any(empty.call, empty.ret)) continue;
    Counterexample result;
    for (const Item& item : items.items) {
      if (item.insert_call == never) continue;
      result.operations.push_back(item.insert);
      if (item.is_removed()) result.operations.push_back(item.remove);
    }
    for (const Peek& peek : items.peeks) result.operations.push_back(peek.id);
    result.operations.push_back(empty.id);
    result.misfits = {empty.id};
    result.reason = fmt::format("{} while something was certainly inside", to_string(binding.history(), empty.id));
    return {true, std::move(result)};
  }
  return {};
}

}  // namespace muster
