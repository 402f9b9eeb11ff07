// Queues of distinct values: the four bad patterns of first-in-first-out order (Bouajjani, Emmi, Enea, Hamza 2015, "On
// reducing linearizability to state reachability", section 5), each looked for in one sweep over time.

#include <fmt/format.h>

#include <algorithm>

#include "judge/monitor/container_monitors.hpp"

namespace muster {

std::optional<Counterexample> covered_empty(const Items& items, const Binding& binding, Limits* limits) {
  if (items.empties.empty()) return std::nullopt;
  std::uint32_t covering = 0;
  std::int64_t last_bare = -1;  // the last moment after which nothing was covering; before the first moment nothing is
  for (Moment now = 0; now < items.end(); ++now) {
    step(limits);
    const ItemEvent event = items.events[now];
    if (event.kind == ItemEvent::empty_return && last_bare < std::int64_t{items.empties[event.index].call}) {
      const Empty& empty = items.empties[event.index];
      Counterexample result;
      // Those that cover the time of this operation, one after the other.
      for (Moment at = empty.call; at < empty.ret;) {
        const Item* widest = nullptr;
        for (const Item& item : items.items) {
          if (item.insert_return <= at && item.is_critical() && item.remove_call > at &&
              (!widest || item.remove_call > widest->remove_call)) {
            widest = &item;
          }
        }
        if (!widest) break;
        result.operations.push_back(widest->insert);
        if (widest->is_removed()) result.operations.push_back(widest->remove);
        at = widest->remove_call;
      }
      result.operations.push_back(empty.id);
      result.misfits = {empty.id};
      result.reason = fmt::format("{} while something was certainly inside", to_string(binding.history(), empty.id));
      return result;
    }
    if (event.kind == ItemEvent::insert_return) covering += items.items[event.index].is_critical();
    if (event.kind == ItemEvent::remove_call) covering -= items.items[event.index].is_critical();
    if (covering == 0) last_bare = now;
  }
  return std::nullopt;
}

std::optional<Counterexample> removed_too_early(const Items& items, const Binding& binding) {
  for (const Item& item : items.items) {
    if (item.is_removed() && item.remove_return < item.insert_call) {
      return Counterexample{{item.insert, item.remove},
                            {item.remove},
                            fmt::format("{} before it was put in", to_string(binding.history(), item.remove))};
    }
  }
  return std::nullopt;
}

Monitored monitor_queue(const Items& items, const Binding& binding, Limits* limits) {
  if (!items.peeks.empty()) return {.decided = false, .counterexample = {}};
  if (auto early = removed_too_early(items, binding)) return {true, std::move(early)};
  // Of the items whose insertion has returned, the one that is removed last. A missing removal is later than all.
  const Item* last = nullptr;
  for (const ItemEvent event : items.events) {
    step(limits);
    if (event.kind > ItemEvent::insert_return) continue;
    const Item& item = items.items[event.index];
    if (event.kind == ItemEvent::insert_return) {
      if (!last || item.remove_call > last->remove_call) last = &item;
    } else if (event.kind == ItemEvent::insert_call && last && item.is_removed() &&
               item.remove_return < last->remove_call) {
      Counterexample result{{last->insert, item.insert, item.remove}, {item.remove}, ""};
      if (last->is_removed()) result.operations.push_back(last->remove);
      const History& history = binding.history();
      result.reason =
          fmt::format("{} came out before {}, which had gone in first", to_string(history[item.remove].result),
                      to_string(binding.arguments(history[last->insert])[0]));
      return {true, std::move(result)};
    }
  }
  return {true, covered_empty(items, binding, limits)};
}

}  // namespace muster
