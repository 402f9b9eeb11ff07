#include "judge/monitor/monitor.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "judge/monitor/container_monitors.hpp"
#include "judge/monitor/register_monitor.hpp"
#include "judge/monitor/set_monitor.hpp"
#include "judge/monitor/whole_set_monitor.hpp"
#include "judge/register/soar.hpp"

namespace muster {
namespace {

Monitored decide(const Items& items, const Binding& binding, Limits& limits) {
  switch (binding.spec().family()) {
    case Family::queue:
      return monitor_queue(items, binding, &limits);
    case Family::stack:
      return monitor_stack(items, binding, &limits);
    case Family::smallest_first:
      return monitor_priority_queue(items, binding, false, &limits);
    case Family::largest_first:
      return monitor_priority_queue(items, binding, true, &limits);
    default:
      return {.decided = false, .counterexample = {}};
  }
}

/// Pending removals that are not taken to have removed anything yet.
class SpareRemovals {
 public:
  SpareRemovals(const History& history, std::span<const OperationId> pending) {
    for (const OperationId id : pending) by_call_.emplace(history[id].call, id);
  }

  /// For an item whose insertion returns at `inserted`: one that leaves it inside for the shortest time, called before
  /// `deadline`.
  std::optional<OperationId> take(Position inserted, Position deadline) {
    auto found = by_call_.upper_bound(inserted);
    if (found != by_call_.begin()) {
      --found;
    } else if (found == by_call_.end() || found->first > deadline) {
      return std::nullopt;
    }
    const OperationId id = found->second;
    by_call_.erase(found);
    return id;
  }
  bool empty() const { return by_call_.empty(); }

 private:
  std::map<Position, OperationId> by_call_;
};

/// By item of a stack: before which moment it must be gone, because something below it is removed or the stack is found
/// empty; `never` if it may stay. Positions are those of the history.
std::vector<Position> stack_deadlines(const Items& items, const History& history) {
  std::vector<std::pair<Position, std::uint32_t>> calls, returns, leaves;
  for (std::uint32_t number = 0; number < items.items.size(); ++number) {
    const Item& item = items.items[number];
    if (item.insert_call == never || item.insert_return == never) continue;
    if (!item.is_removed()) {
      calls.emplace_back(history[item.insert].call, number);
    } else {
      returns.emplace_back(history[item.insert].ret, number);
      leaves.emplace_back(history[item.remove].call, number);
    }
  }
  for (auto* moments : {&calls, &returns, &leaves}) std::ranges::sort(*moments);
  std::vector<std::pair<Position, Position>> empties;  // call, and the first return of those called then or later
  for (const Empty& empty : items.empties) empties.emplace_back(history[empty.id].call, history[empty.id].ret);
  std::ranges::sort(empties);
  for (std::size_t at = empties.size(); at-- > 1;)
    empties[at - 1].second = std::min(empties[at - 1].second, empties[at].second);
  std::vector<Position> deadlines(items.items.size(), never);
  std::set<std::pair<Position, std::uint32_t>> inside;  // by return of the removal
  std::size_t next_in = 0, next_out = 0;
  for (const auto& [call, number] : calls) {
    const auto removal = [&](std::uint32_t item) -> const Operation& { return history[items.items[item].remove]; };
    for (; next_in < returns.size() && returns[next_in].first < call; ++next_in)
      inside.emplace(removal(returns[next_in].second).ret, returns[next_in].second);
    for (; next_out < leaves.size() && leaves[next_out].first < call; ++next_out)
      inside.erase({removal(leaves[next_out].second).ret, leaves[next_out].second});
    const Position ret = history[items.items[number].insert].ret;
    const auto below =
        std::ranges::find_if(inside, [&](const auto& entry) { return removal(entry.second).call > ret; });
    if (below != inside.end()) deadlines[number] = below->first;
    const auto empty = std::ranges::upper_bound(empties, ret, {}, &std::pair<Position, Position>::first);
    if (empty != empties.end()) deadlines[number] = std::min(deadlines[number], empty->second);
  }
  return deadlines;
}

/// What the pending removals of a stack must have taken at least, the most urgent first.
Taken match_removals(const Items& items, const Binding& binding, SpareRemovals& spare) {
  Taken taken;
  if (binding.spec().family() != Family::stack) return taken;
  const History& history = binding.history();
  const std::vector<Position> deadlines = stack_deadlines(items, history);
  std::vector<std::uint32_t> urgent;
  for (std::uint32_t item = 0; item < deadlines.size(); ++item) {
    if (deadlines[item] != never) urgent.push_back(item);
  }
  std::ranges::stable_sort(urgent, {}, [&](std::uint32_t item) { return deadlines[item]; });
  for (const std::uint32_t item : urgent) {
    const OperationId insert = items.items[item].insert;
    if (const auto removal = spare.take(history[insert].ret, deadlines[item]))
      taken.emplace_back(*removal, items.values[item]);
  }
  return taken;
}

/// Whether the history passes if pending removals took what had to go, and then what stands in the way, found one after
/// the other: an explanation is an explanation, however it was found; that none is found this way proves nothing.
bool explained_by_pending(const Binding& binding, std::span<const OperationId> ids, const Items& items,
                          Limits& limits) {
  const std::size_t most_tries = 64 + 2'000'000 / ids.size();
  SpareRemovals spare(binding.history(), items.pending_removals);
  Taken taken = match_removals(items, binding, spare);
  for (std::size_t tries = 0; tries < most_tries; ++tries) {
    std::ranges::sort(taken, {}, &Taken::value_type::first);
    const Collected collected = collect_items(binding, ids, taken, &limits);
    if (!collected.items) return false;
    Monitored monitored = decide(*collected.items, binding, limits);
    if (!monitored.counterexample) return monitored.decided;
    std::vector<OperationId>& obstacle = monitored.counterexample->operations;
    std::ranges::sort(obstacle);
    std::uint32_t in_the_way = never;
    for (std::uint32_t number = 0; number < collected.items->items.size(); ++number) {
      const Item& item = collected.items->items[number];
      if (item.is_removed() || !std::ranges::binary_search(obstacle, item.insert)) continue;
      if (in_the_way == never || item.insert_return < collected.items->items[in_the_way].insert_return)
        in_the_way = number;
    }
    if (in_the_way == never) return false;
    const auto removal = spare.take(binding.history()[collected.items->items[in_the_way].insert].ret, never);
    if (!removal) return false;
    taken.emplace_back(*removal, collected.items->values[in_the_way]);
  }
  return false;
}

std::optional<Verdict> monitor_container(const Binding& binding, std::span<const OperationId> ids, Limits& limits) {
  Collected collected = collect_items(binding, ids, {}, &limits);
  if (collected.counterexample) return *std::move(collected.counterexample);
  if (!collected.items) return std::nullopt;
  const Items& items = *collected.items;
  Monitored monitored = decide(items, binding, limits);
  if (!monitored.decided) return std::nullopt;
  if (!monitored.counterexample) return Witness{};
  if (items.pending_removals.empty()) return *std::move(monitored.counterexample);
  // A pending removal may have taken what nobody is known to have removed. Taking all operations on some values out of
  // a container's history leaves it linearizable if it was: so if what remains without those values fails, the whole
  // does.
  if (auto without = decide(removed_only(items, &limits), binding, limits).counterexample) return *std::move(without);
  if (explained_by_pending(binding, ids, items, limits)) return Witness{};
  return std::nullopt;
}

/// Values written once each, or a single writer.
std::optional<Verdict> monitor_any_register(const Binding& binding, std::span<const OperationId> ids, Limits& limits) {
  if (auto verdict = monitor_register(binding, ids, limits)) return verdict;
  if (const auto accesses = single_writer(binding, ids)) return judge_register(*accesses, RegisterProperty::atomic);
  return std::nullopt;
}

}  // namespace

std::optional<Verdict> monitor(const Binding& binding, std::span<const OperationId> ids, Limits& limits) {
  switch (binding.spec().family()) {
    case Family::other:
    case Family::set:
      return std::nullopt;
    case Family::reg:
      return monitor_any_register(binding, ids, limits);
    case Family::whole_set:
      return monitor_whole_set(binding, ids, limits);
    default:
      return monitor_container(binding, ids, limits);
  }
}

std::optional<KeySummary> monitor_keys(const Binding& binding, Limits& limits) {
  if (binding.spec().family() == Family::set) return monitor_set(binding, limits);
  return std::nullopt;
}

}  // namespace muster
