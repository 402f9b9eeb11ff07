#include "judge/monitor/items.hpp"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>

#include "judge/core/timeline.hpp"
#include "judge/core/value_table.hpp"

namespace muster {
namespace {

// Containers with a monitor number their methods alike.
constexpr MethodIndex insert_method = 0, remove_method = 1, peek_method = 2;

// So many operations before it is needed, memory is asked for.
constexpr std::uint32_t ahead = 16;

constexpr std::size_t most_items = std::size_t{1} << 28;

class Collector {
 public:
  Collector(const Binding& binding, std::span<const OperationId> ids, const Taken& taken, Limits* limits)
      : taken_(taken),
        limits_(limits),
        binding_(binding),
        history_(binding.history()),
        ids_(ids),
        table_(ids.size()),
        of_(ids.size(), none) {}

  Collected run() {
    if (ids_.size() > most_items) return {};
    if (!take_insertions()) return more_out_than_in();
    for (std::uint32_t index = 0; index < ids_.size(); ++index) {
      step(limits_);
      if (index + ahead < ids_.size()) table_.prefetch(history_[ids_[index + ahead]].result);
      const Operation& operation = history_[ids_[index]];
      const MethodIndex method = binding_.method(operation);
      if (method == insert_method) continue;
      if (operation.is_pending()) {
        if (method == remove_method && !take_pending(index)) items_.pending_removals.push_back(ids_[index]);
        continue;
      }
      if (operation.result.is_none()) {
        if (method == remove_method) return {};
        continue;
      }
      if (operation.result.is_nil()) {
        of_[index] = static_cast<std::uint32_t>(items_.empties.size());
        items_.empties.push_back({0, 0, ids_[index]});
        continue;
      }
      const std::uint32_t item = table_.find(operation.result);
      if (item == ValueTable::unknown) return never_inserted(ids_[index]);
      seen_[item] = 1;
      if (method == peek_method) {
        of_[index] = static_cast<std::uint32_t>(items_.peeks.size());
        items_.peeks.push_back({0, 0, ids_[index], item});
      } else {
        if (items_.items[item].is_removed()) return removed_twice(items_.items[item], ids_[index]);
        of_[index] = item;
        items_.items[item].remove = ids_[index];
      }
    }
    place();
    return {std::move(items_), std::nullopt};
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// Whether it is taken to have removed something.
  bool take_pending(std::uint32_t index) {
    const auto found = std::ranges::lower_bound(taken_, ids_[index], {}, &Taken::value_type::first);
    if (found == taken_.end() || found->first != ids_[index]) return false;
    of_[index] = table_.find(found->second);
    seen_[of_[index]] = 1;
    items_.items[of_[index]].remove = ids_[index];
    return true;
  }

  /// False if a value is inserted twice.
  bool take_insertions() {
    for (std::uint32_t index = 0; index < ids_.size(); ++index) {
      step(limits_);
      if (index + ahead < ids_.size()) {
        const auto arguments = history_.arguments(history_[ids_[index + ahead]]);
        if (!arguments.empty()) table_.prefetch(arguments.back());
      }
      const Operation& operation = history_[ids_[index]];
      if (binding_.method(operation) != insert_method) continue;
      const Value value = binding_.arguments(operation)[0];
      if (value.is_nil()) return false;
      const std::uint32_t item = table_.number(value);
      if (item < items_.items.size()) return false;
      items_.items.push_back({.insert = ids_[index]});
      items_.values.push_back(value);
      of_[index] = item;
    }
    seen_.resize(items_.items.size());
    return true;
  }

  /// Numbers the moments and gives them to the items. Insertions that are pending and unseen have none.
  void place() {
    items_.events.reserve(ids_.size() * 2);
    const auto events = timeline(history_, ids_);
    for (std::size_t at = 0; at < events.size(); ++at) {
      step(limits_);
      if (at + ahead < events.size()) {
        const std::uint32_t item = of_[events[at + ahead] >> 1];
        if (item < items_.items.size()) __builtin_prefetch(&items_.items[item]);
      }
      const std::uint32_t event = events[at], index = event >> 1;
      if (of_[index] == none) continue;
      const Operation& operation = history_[ids_[index]];
      const MethodIndex method = binding_.method(operation);
      if (method == insert_method && operation.is_pending() && !seen_[of_[index]]) continue;
      const Moment now = items_.end();
      const bool is_return = event & 1;
      std::uint32_t kind;
      if (method == insert_method) {
        kind = ItemEvent::insert_call;
        Item& item = items_.items[of_[index]];
        (is_return ? item.insert_return : item.insert_call) = now;
      } else if (operation.result.is_nil()) {
        kind = ItemEvent::empty_call;
        Empty& empty = items_.empties[of_[index]];
        (is_return ? empty.ret : empty.call) = now;
      } else if (method == peek_method) {
        kind = ItemEvent::peek_call;
        Peek& peek = items_.peeks[of_[index]];
        (is_return ? peek.ret : peek.call) = now;
      } else {
        kind = ItemEvent::remove_call;
        Item& item = items_.items[of_[index]];
        (is_return ? item.remove_return : item.remove_call) = now;
      }
      items_.events.push_back({kind + is_return, of_[index]});
    }
  }

  /// Where a value is put in twice no monitor decides, but it can still be seen to come out too often.
  Collected more_out_than_in() const {
    absl::flat_hash_map<Value, std::uint32_t> inside;
    for (const OperationId id : ids_) {
      const Operation& operation = history_[id];
      if (binding_.method(operation) == insert_method) ++inside[binding_.arguments(operation)[0]];
    }
    for (const OperationId id : ids_) {
      const Operation& operation = history_[id];
      const MethodIndex method = binding_.method(operation);
      if (method == insert_method || operation.is_pending()) continue;
      if (operation.result.is_none() || operation.result.is_nil()) continue;
      const auto found = inside.find(operation.result);
      if (found == inside.end()) return never_inserted(id);
      if (method != remove_method) continue;
      if (found->second-- > 0) continue;
      Counterexample result{
          {}, {id}, fmt::format("{} was taken out more often than put in", to_string(operation.result))};
      for (const OperationId other : ids_) {
        const Operation& same = history_[other];
        const bool inserts = binding_.method(same) == insert_method;
        const Value value = inserts ? binding_.arguments(same)[0] : same.result;
        if (value == operation.result) result.operations.push_back(other);
      }
      return {std::nullopt, std::move(result)};
    }
    return {};
  }

  Collected never_inserted(OperationId id) const {
    return {std::nullopt,
            Counterexample{{id}, {id}, fmt::format("{}, but nothing ever put it in", to_string(history_, id))}};
  }
  Collected removed_twice(const Item& item, OperationId id) const {
    return {std::nullopt,
            Counterexample{{item.insert, item.remove, id},
                           {id, item.remove},
                           fmt::format("{} was put in once and taken out twice", to_string(history_[id].result))}};
  }

  const Taken& taken_;
  Limits* limits_;
  const Binding& binding_;
  const History& history_;
  std::span<const OperationId> ids_;
  ValueTable table_;
  std::vector<std::uint32_t> of_;  ///< by operation: its item, peek or empty
  std::vector<char> seen_;         ///< by item: somebody removed or looked at it
  Items items_;
};

}  // namespace

Collected collect_items(const Binding& binding, std::span<const OperationId> ids, const Taken& taken, Limits* limits) {
  return Collector(binding, ids, taken, limits).run();
}

Items removed_only(const Items& items, Limits* limits) {
  Items kept;
  std::vector<std::uint32_t> number(items.items.size(), never);
  for (std::uint32_t item = 0; item < items.items.size(); ++item) {
    if (!items.items[item].is_removed()) continue;
    number[item] = static_cast<std::uint32_t>(kept.items.size());
    kept.items.push_back(items.items[item]);
    kept.values.push_back(items.values[item]);
  }
  std::vector<std::uint32_t> peek_number(items.peeks.size(), never);
  for (std::uint32_t peek = 0; peek < items.peeks.size(); ++peek) {
    if (number[items.peeks[peek].item] == never) continue;
    peek_number[peek] = static_cast<std::uint32_t>(kept.peeks.size());
    kept.peeks.push_back(items.peeks[peek]);
    kept.peeks.back().item = number[items.peeks[peek].item];
  }
  kept.empties = items.empties;
  for (const ItemEvent event : items.events) {
    step(limits);
    const Moment now = kept.end();
    std::uint32_t index = event.index;
    if (event.kind <= ItemEvent::remove_return) {
      index = number[index];
      if (index == never) continue;
      Item& item = kept.items[index];
      Moment* const moments[] = {&item.insert_call, &item.insert_return, &item.remove_call, &item.remove_return};
      *moments[event.kind] = now;
    } else if (event.kind <= ItemEvent::peek_return) {
      index = peek_number[index];
      if (index == never) continue;
      (event.kind == ItemEvent::peek_call ? kept.peeks[index].call : kept.peeks[index].ret) = now;
    } else {
      (event.kind == ItemEvent::empty_call ? kept.empties[index].call : kept.empties[index].ret) = now;
    }
    kept.events.push_back({event.kind, index});
  }
  return kept;
}

}  // namespace muster
