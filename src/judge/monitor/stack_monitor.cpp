// Stacks of distinct values in O(n log n), by decrease and conquer (the idea is that of Lee and Mathur, "Efficient
// decrease-and-conquer linearizability monitoring", 2024; the argument and the data structures here are our own).
//
// Call the time from the return of an item's push to the call of its pop, if that is any time, its critical interval:
// the item is certainly inside. A history of pushes and pops is linearizable iff it has no items, or it has an item v
// that can lie at the bottom (its push and its pop can both happen at moments that no critical interval of another item
// covers) and is linearizable without v:
//  - if it is linearizable, the item pushed first is such an item, since the stack is otherwise empty when it is pushed
//  and popped;
//  - conversely, an order of the rest can be changed so that the stack is empty at every uncovered moment: what is
//  inside then may
//    be popped just before or pushed just after it. So v goes in at one such moment and out at another.
// Uncovered moments stay so while items are taken away, hence the order in which items are taken away does not matter.

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "judge/monitor/container_monitors.hpp"

namespace muster {
namespace {

/// How many critical intervals cover each stretch of time; gives back stretches as they become bare, each once.
class Coverage {
 public:
  explicit Coverage(std::span<const std::int32_t> covers)
      : leaves_(std::bit_ceil(std::max<std::size_t>(covers.size(), 1))) {
    least_.assign(2 * leaves_, gone);
    added_.assign(2 * leaves_, 0);
    std::ranges::copy(covers, least_.begin() + static_cast<std::ptrdiff_t>(leaves_));
    for (std::size_t node = leaves_ - 1; node > 0; --node)
      least_[node] = std::min(least_[2 * node], least_[2 * node + 1]);
  }

  /// One critical interval less over [first, last].
  void uncover(std::uint32_t first, std::uint32_t last) { subtract(1, 0, leaves_ - 1, first, last); }

  template <class F>
  void take_bare(F&& take) {
    while (least_[1] == 0) {
      std::size_t node = 1;
      std::int32_t above = 0;
      while (node < leaves_) {
        above += added_[node];
        node = 2 * node + (least_[2 * node] + above != 0);
      }
      const auto stretch = static_cast<std::uint32_t>(node - leaves_);
      least_[node] = gone;
      for (node /= 2; node > 0; node /= 2)
        least_[node] = std::min(least_[2 * node], least_[2 * node + 1]) + added_[node];
      take(stretch);
    }
  }

 private:
  static constexpr std::int32_t gone = 1 << 30;

  void subtract(std::size_t node, std::size_t low, std::size_t high, std::size_t first, std::size_t last) {
    if (first <= low && high <= last) {
      --least_[node];
      --added_[node];
      return;
    }
    const std::size_t middle = (low + high) / 2;
    if (first <= middle) subtract(2 * node, low, middle, first, last);
    if (last > middle) subtract(2 * node + 1, middle + 1, high, first, last);
    least_[node] = std::min(least_[2 * node], least_[2 * node + 1]) + added_[node];
  }

  std::size_t leaves_;
  std::vector<std::int32_t> least_;  ///< in the subtree, with what was added to its root but not above
  std::vector<std::int32_t> added_;
};

/// Intervals of stretches, given up one by one: those that hold a given stretch.
class Stabbing {
 public:
  struct Interval {
    std::uint32_t first, last, owner;
  };

  explicit Stabbing(std::vector<Interval> intervals) : intervals_(std::move(intervals)) {
    std::ranges::sort(intervals_, {}, &Interval::first);
    leaves_ = std::bit_ceil(std::max<std::size_t>(intervals_.size(), 1));
    latest_.assign(2 * leaves_, 0);
    for (std::size_t at = 0; at < intervals_.size(); ++at) latest_[leaves_ + at] = intervals_[at].last + 1;
    for (std::size_t node = leaves_ - 1; node > 0; --node)
      latest_[node] = std::max(latest_[2 * node], latest_[2 * node + 1]);
  }

  template <class F>
  void take_holding(std::uint32_t stretch, F&& take) {
    const auto end = std::ranges::upper_bound(intervals_, stretch, {}, &Interval::first) - intervals_.begin();
    for (;;) {
      const std::size_t leaf = first_reaching(stretch);
      if (leaf - leaves_ >= static_cast<std::size_t>(end)) return;
      const std::uint32_t owner = intervals_[leaf - leaves_].owner;
      latest_[leaf] = 0;
      for (std::size_t node = leaf / 2; node > 0; node /= 2)
        latest_[node] = std::max(latest_[2 * node], latest_[2 * node + 1]);
      take(owner);
    }
  }

 private:
  /// The leftmost leaf whose interval reaches beyond `stretch`; past the last leaf if there is none.
  std::size_t first_reaching(std::uint32_t stretch) const {
    if (latest_[1] <= stretch) return 2 * leaves_;
    std::size_t node = 1;
    while (node < leaves_) node = 2 * node + (latest_[2 * node] <= stretch);
    return node;
  }

  std::vector<Interval> intervals_;
  std::size_t leaves_ = 1;
  std::vector<std::uint32_t> latest_;  ///< end of the interval that reaches furthest in the subtree; 0 if all are taken
};

class StackMonitor {
 public:
  StackMonitor(const Items& items, Limits* limits) : items_(items), limits_(limits) {}

  /// Items that are left when no more can be taken away; none if the history is linearizable.
  std::vector<std::uint32_t> leftover() {
    divide_time();
    Coverage coverage(covers_);
    Stabbing stabbing(std::move(intervals_));
    std::vector<std::uint32_t> removable;
    std::vector<std::uint8_t> missing(items_.items.size(), 2);  // push and pop, until each can be at a bare moment
    for (std::uint32_t item = 0; item < items_.items.size(); ++item) {
      if (items_.items[item].remove_return == never)
        --missing[item];  // popped after the end of time, when nothing covers
    }
    const auto free_side = [&](std::uint32_t item) {
      if (--missing[item] == 0) removable.push_back(item);
    };
    const auto settle = [&] {
      coverage.take_bare([&](std::uint32_t stretch) { stabbing.take_holding(stretch, free_side); });
    };
    settle();
    std::size_t left = critical_.size();
    while (!removable.empty()) {
      const std::uint32_t item = removable.back();
      removable.pop_back();
      step(limits_);
      --left;
      coverage.uncover(first_[item], last_[item]);
      settle();
    }
    std::vector<std::uint32_t> rest;
    if (left > 0) {
      std::ranges::copy_if(critical_, std::back_inserter(rest), [&](std::uint32_t item) { return missing[item] > 0; });
    }
    return rest;
  }

 private:
  /// Stretches of time between moments at which critical intervals begin or end, with how many of those cover each.
  void divide_time() {
    const auto& items = items_.items;
    first_.resize(items.size());
    last_.resize(items.size());
    std::vector<std::uint32_t> push_start(items.size());
    std::uint32_t stretch = 0;
    std::int32_t covering = 0;
    covers_.push_back(0);
    const auto next_stretch = [&](int change) {
      covering += change;
      covers_.push_back(covering);
      ++stretch;
    };
    for (const ItemEvent event : items_.events) {
      step(limits_);
      if (event.kind > ItemEvent::remove_return || !items[event.index].is_critical()) continue;
      const std::uint32_t item = event.index;
      switch (event.kind) {
        case ItemEvent::insert_call:
          push_start[item] = stretch;
          break;
        case ItemEvent::insert_return:
          critical_.push_back(item);
          intervals_.push_back({push_start[item], stretch, item});
          next_stretch(1);
          first_[item] = stretch;
          break;
        case ItemEvent::remove_call:
          last_[item] = stretch;
          next_stretch(-1);
          push_start[item] = stretch;  // from here on it remembers where the pop began
          break;
        case ItemEvent::remove_return:
          intervals_.push_back({push_start[item], stretch, item});
          break;
        default:
          break;
      }
    }
    for (const std::uint32_t item : critical_) {
      if (!items[item].is_removed()) last_[item] = stretch;
    }
  }

  const Items& items_;
  Limits* limits_;
  std::vector<std::uint32_t> critical_;
  std::vector<std::uint32_t> first_, last_;  ///< by item: the stretches that its critical interval covers
  std::vector<std::int32_t> covers_;         ///< by stretch
  std::vector<Stabbing::Interval> intervals_;
};

}  // namespace

Monitored monitor_stack(const Items& items, const Binding& binding, Limits* limits) {
  if (!items.peeks.empty()) return {.decided = false, .counterexample = {}};
  if (auto early = removed_too_early(items, binding)) return {true, std::move(early)};
  if (auto covered = covered_empty(items, binding, limits)) return {true, std::move(covered)};
  const std::vector<std::uint32_t> left = StackMonitor(items, limits).leftover();
  if (left.empty()) return {};
  Counterexample result;
  std::uint32_t first_popped = left.front();
  for (const std::uint32_t item : left) {
    result.operations.push_back(items.items[item].insert);
    if (items.items[item].is_removed()) result.operations.push_back(items.items[item].remove);
    if (items.items[item].remove_return < items.items[first_popped].remove_return) first_popped = item;
  }
  const Item& item = items.items[first_popped];
  result.misfits = {item.is_removed() ? item.remove : item.insert};
  result.reason = fmt::format("none of these {} values can lie below the others", left.size());
  return {true, std::move(result)};
}

}  // namespace muster
