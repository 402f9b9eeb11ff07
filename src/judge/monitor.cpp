#include "judge/monitor.hpp"

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
  monitored = decide(removed_only(items), binding);
  if (monitored.counterexample) return *std::move(monitored.counterexample);
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
