#include "judge/monitor.hpp"

#include <algorithm>

#include "judge/container_monitors.hpp"
#include "judge/register_monitor.hpp"
#include "judge/set_monitor.hpp"
#include "judge/soar.hpp"

namespace muster {
namespace {

Monitored decide(const Items& items, const Binding& binding) {
  switch (binding.spec().family()) {
    case Family::queue:
      return monitor_queue(items, binding);
    case Family::stack:
      return monitor_stack(items, binding);
    case Family::smallest_first:
      return monitor_priority_queue(items, binding, false);
    case Family::largest_first:
      return monitor_priority_queue(items, binding, true);
    default:
      return {.decided = false, .counterexample = {}};
  }
}

/// Whether the history passes if pending removals took values that stand in the way, found one after the other: an
/// explanation is an explanation, however it was found; that none is found this way proves nothing.
bool explained_by_pending(const Binding& binding, std::span<const OperationId> ids, std::vector<OperationId> pending,
                          Counterexample obstacle) {
  constexpr std::size_t most_tries = 64;
  const History& history = binding.history();
  std::ranges::sort(pending, {}, [&](OperationId id) { return history[id].call; });
  Taken taken;
  while (taken.size() < std::min(pending.size(), most_tries)) {
    const Collected before = collect_items(binding, ids, taken);
    if (!before.items) return false;
    std::ranges::sort(obstacle.operations);
    const Item* in_the_way = nullptr;
    for (const Item& item : before.items->items) {
      if (item.is_removed() || !std::ranges::binary_search(obstacle.operations, item.insert)) continue;
      if (!in_the_way || item.insert_return < in_the_way->insert_return) in_the_way = &item;
    }
    if (!in_the_way) return false;
    taken.emplace_back(pending[taken.size()], binding.arguments(history[in_the_way->insert])[0]);
    const Collected after = collect_items(binding, ids, taken);
    if (!after.items) return false;
    Monitored monitored = decide(*after.items, binding);
    if (!monitored.counterexample) return monitored.decided;
    obstacle = *std::move(monitored.counterexample);
  }
  return false;
}

std::optional<Verdict> monitor_container(const Binding& binding, std::span<const OperationId> ids) {
  Collected collected = collect_items(binding, ids);
  if (collected.counterexample) return *std::move(collected.counterexample);
  if (!collected.items) return std::nullopt;
  const Items& items = *collected.items;
  Monitored monitored = decide(items, binding);
  if (!monitored.decided) return std::nullopt;
  if (!monitored.counterexample) return Witness{};
  if (items.pending_removals.empty()) return *std::move(monitored.counterexample);
  // A pending removal may have taken what nobody is known to have removed. Taking all operations on some values out of
  // a container's history leaves it linearizable if it was: so if what remains without those values fails, the whole
  // does.
  if (auto without = decide(removed_only(items), binding).counterexample) return *std::move(without);
  if (explained_by_pending(binding, ids, items.pending_removals, *std::move(monitored.counterexample)))
    return Witness{};
  return std::nullopt;
}

/// Values written once each, or a single writer.
std::optional<Verdict> monitor_any_register(const Binding& binding, std::span<const OperationId> ids) {
  if (auto verdict = monitor_register(binding, ids)) return verdict;
  if (const auto accesses = single_writer(binding, ids)) return judge_register(*accesses, RegisterProperty::atomic);
  return std::nullopt;
}

}  // namespace

std::optional<Verdict> monitor(const Binding& binding, std::span<const OperationId> ids) {
  switch (binding.spec().family()) {
    case Family::other:
    case Family::set:
      return std::nullopt;
    case Family::reg:
      return monitor_any_register(binding, ids);
    default:
      return monitor_container(binding, ids);
  }
}

std::optional<KeySummary> monitor_keys(const Binding& binding) {
  if (binding.spec().family() == Family::set) return monitor_set(binding);
  return std::nullopt;
}

}  // namespace muster
