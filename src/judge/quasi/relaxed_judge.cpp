#include "judge/quasi/relaxed_judge.hpp"

#include <absl/container/btree_set.h>
#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "judge/core/search.hpp"
#include "judge/monitor/container_monitors.hpp"
#include "judge/quasi/at_returns.hpp"
#include "judge/quasi/relaxed_order.hpp"
#include "judge/quasi/relaxed_queue.hpp"

namespace muster {
namespace {

/// What no factor helps against.
std::optional<Counterexample> impossible(const Items& items, const Binding& binding) {
  if (auto early = removed_too_early(items, binding)) return early;
  return covered_empty(items, binding);
}

Counterexample too_far(const Binding& binding, std::span<const OperationId> ids, const Items& items,
                       std::uint32_t displaced) {
  Counterexample result;
  result.operations.assign(ids.begin(), ids.end());
  const Item& item = items.items[displaced];
  result.misfits.push_back(item.is_removed() ? item.remove : item.insert);
  result.reason = fmt::format("no order of the operations keeps {} within {} of its turn",
                              to_string(binding.history(), result.misfits.front()), binding.spec().factor());
  return result;
}

/// Decides queues of distinct values; nothing where it cannot.
std::optional<Verdict> judge_queue(const Binding& binding, std::span<const OperationId> ids, const Items& items,
                                   const JudgeOptions& options) {
  Limits limits(options);
  const unsigned factor = binding.spec().factor();
  if (relaxed_queue_orders(items, factor, limits)) return Witness{};
  if (!limits.reason().empty()) return Undecided{limits.reason(), 0};
  if (items.pending_removals.empty()) return too_far(binding, ids, items, least_displacement(items).item);
  // A pending removal may have taken what nobody is known to have removed. Without all those values a history that was
  // explained still is.
  const Items removed = removed_only(items);
  if (relaxed_queue_orders(removed, factor, limits)) return std::nullopt;
  if (!limits.reason().empty()) return Undecided{limits.reason(), 0};
  return too_far(binding, ids, removed, least_displacement(removed).item);
}

/// Without the removals that found nothing.
Verdict judge_found(const Binding& binding, std::span<const OperationId> ids, const JudgeOptions& options) {
  std::vector<OperationId> found;
  std::ranges::copy_if(ids, std::back_inserter(found),
                       [&](OperationId id) { return !binding.never_changes(binding.history()[id]); });
  return search_intervals(binding, found, false, options);
}

/// An explanation of the items of a stack or priority queue, if one is found without a search.
std::optional<std::vector<OperationId>> find_order(const Items& items, Family family, unsigned factor,
                                                   const JudgeOptions& options) {
  JudgeOptions timed = options;
  timed.steps = 0;  // it takes few, for the length of the history
  Limits limits(timed);
  RelaxedOrder order(items, family);
  if (!order.improve(factor, limits)) return std::nullopt;
  return order.operations();
}

/// Items that are certainly inside, in an order in which those that a removal skips come first.
class Inside {
 public:
  Inside(const Items& items, Family family) : items_(items), family_(family) {
    if (family == Family::stack) return;
    std::vector<std::uint32_t> order(items.items.size());
    for (std::uint32_t item = 0; item < order.size(); ++item) order[item] = item;
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return family == Family::largest_first ? items.values[b] < items.values[a] : items.values[a] < items.values[b];
    });
    place_.resize(order.size());
    for (std::uint32_t at = 0; at < order.size(); ++at) place_[order[at]] = at;
  }

  void add(std::uint32_t item) { inside_.insert({place(item), item}); }
  void remove(std::uint32_t item) { inside_.erase({place(item), item}); }

  /// Those that the removal of `item` certainly skips, up to `most`.
  template <class F>
  void for_each_skipped(std::uint32_t item, std::size_t most, F&& skip) const {
    // In a stack those pushed after it; in a priority queue those with a key before it.
    const std::int64_t end =
        family_ == Family::stack ? -std::int64_t{items_.items[item].insert_return} : std::int64_t{place_[item]};
    for (const auto& [at, other] : inside_) {
      if (at >= end || most-- == 0) return;
      if (items_.items[other].remove_call > items_.items[item].remove_return) skip(other);
    }
  }

 private:
  std::int64_t place(std::uint32_t item) const {
    return family_ == Family::stack ? -std::int64_t{items_.items[item].insert_call} : std::int64_t{place_[item]};
  }

  const Items& items_;
  Family family_;
  std::vector<std::uint32_t> place_;
  absl::btree_set<std::pair<std::int64_t, std::uint32_t>> inside_;
};

/// The most that an item certainly skips, or is skipped.
Displaced certain_skips(const Items& items, Family family) {
  constexpr std::size_t most_counted = 256;
  Inside inside(items, family);
  std::vector<unsigned> skips(items.items.size());
  Displaced most;
  const auto note = [&](unsigned count, std::uint32_t item) {
    if (count > most.by) most = {count, item};
  };
  for (const ItemEvent event : items.events) {
    if (event.kind == ItemEvent::insert_return) {
      if (items.items[event.index].is_critical()) inside.add(event.index);
    } else if (event.kind == ItemEvent::remove_call) {
      inside.remove(event.index);
      unsigned rank = 0;
      inside.for_each_skipped(event.index, most_counted, [&](std::uint32_t other) {
        ++rank;
        note(++skips[other], other);
      });
      note(rank, event.index);
    }
  }
  return most;
}

/// The same for stacks and priority queues, without pending removals.
std::optional<Verdict> judge_stack_or_priorities(const Binding& binding, std::span<const OperationId> ids,
                                                 const Items& items, const JudgeOptions& options) {
  const Family family = binding.spec().family();
  const unsigned factor = binding.spec().factor();
  if (const Displaced certain = certain_skips(items, family); certain.by > factor)
    return too_far(binding, ids, items, certain.item);
  if (find_order(items, family, factor, options)) return Witness{};
  return std::nullopt;
}

/// Who overtook whom: by item, those that did, and by item, those it did.
class Skips {
 public:
  /// Of those that a removal skips, the first comes first.
  void skip(OperationId insert, OperationId removal, OperationId by_insert, OperationId by_removal) {
    if (out_of_turn_.empty() || out_of_turn_.back().operation != by_removal)
      out_of_turn_.push_back({by_removal, insert, 0});
    ++out_of_turn_.back().distance;
    note(overtaken_, insert).removals.push_back(by_removal);
    note(overtakers_, by_insert).removals.push_back(insert);
    overtakers_[by_insert].removal = by_removal;
    if (removal != never) overtaken_[insert].removal = removal;
  }
  void removed(OperationId insert, OperationId removal) {
    if (const auto found = overtaken_.find(insert); found != overtaken_.end()) found->second.removal = removal;
  }
  Overtakings most() const {
    Overtakings result{largest(overtaken_), largest(overtakers_), out_of_turn_};
    for (OutOfTurn& each : result.out_of_turn) {
      if (const OperationId removal = overtaken_.at(each.instead_of).removal; removal != never)
        each.instead_of = removal;
    }
    return result;
  }

 private:
  using ByInsertion = absl::flat_hash_map<OperationId, Overtaking>;

  static Overtaking& note(ByInsertion& table, OperationId insert) {
    Overtaking& entry = table[insert];
    entry.insert = insert;
    return entry;
  }
  /// Of equals the one inserted first.
  static std::optional<Overtaking> largest(const ByInsertion& table) {
    const Overtaking* best = nullptr;
    for (const auto& [insert, entry] : table) {
      if (!best || entry.removals.size() > best->removals.size() ||
          (entry.removals.size() == best->removals.size() && insert < best->insert))
        best = &entry;
    }
    return best ? std::optional(*best) : std::nullopt;
  }

  ByInsertion overtaken_, overtakers_;
  std::vector<OutOfTurn> out_of_turn_;  // by insertions, until all removals are known
};

Overtakings from_orders(const Items& items, const QueueOrders& orders) {
  std::vector<std::uint32_t> place(items.items.size());
  for (std::uint32_t at = 0; at < orders.in.size(); ++at) place[orders.in[at]] = at;
  Skips skips;
  std::vector<char> gone(items.items.size());
  std::size_t front = 0;
  for (const std::uint32_t item : orders.out) {
    const Item& mine = items.items[item];
    if (!mine.is_removed()) break;
    for (std::size_t at = front; at < place[item]; ++at) {
      const std::uint32_t other = orders.in[at];
      if (!gone[other]) skips.skip(items.items[other].insert, items.items[other].remove, mine.insert, mine.remove);
    }
    gone[item] = 1;
    while (front < orders.in.size() && gone[orders.in[front]]) ++front;
  }
  return skips.most();
}

/// Runs the object along an explanation.
Overtakings from_witness(const Binding& binding, std::span<const OperationId> order) {
  struct Present {
    Value value;
    OperationId insert;
  };
  const History& history = binding.history();
  const Family family = binding.spec().family();
  const auto before = [&](Value a, Value b) { return family == Family::largest_first ? b < a : a < b; };
  std::deque<Present> items;  // by rank
  Skips skips;
  for (const OperationId id : order) {
    const Operation& operation = history[id];
    const MethodIndex method = binding.method(operation);
    if (method == 0) {
      const Value value = binding.arguments(operation)[0];
      auto at = family == Family::queue ? items.end() : items.begin();
      if (family != Family::queue && family != Family::stack)
        at = std::ranges::upper_bound(items, value, before, &Present::value);
      items.insert(at, {value, id});
    } else if (method == 1 && !items.empty()) {
      // Where a removal is pending any item may be meant: the first is, which overtakes nobody.
      auto taken =
          operation.result.is_none() ? items.begin() : std::ranges::find(items, operation.result, &Present::value);
      if (taken == items.end()) continue;
      for (auto other = items.begin(); other != taken; ++other) {
        const bool equal = family != Family::queue && family != Family::stack && other->value == taken->value;
        if (!equal) skips.skip(other->insert, never, taken->insert, id);
      }
      skips.removed(taken->insert, id);
      items.erase(taken);
    }
  }
  return skips.most();
}

}  // namespace

Verdict judge_relaxed(const Binding& binding, std::span<const OperationId> ids, const JudgeOptions& options) {
  if (options.monitors && !options.explain) {
    if (explained_at_returns(binding, ids)) return Witness{};
    Collected collected = collect_items(binding, ids);
    if (collected.counterexample) return *std::move(collected.counterexample);
    if (collected.items && collected.items->peeks.empty()) {
      const Items& items = *collected.items;
      const bool pending = !items.pending_removals.empty();
      if (auto never_explained = impossible(pending ? removed_only(items) : items, binding))
        return *std::move(never_explained);
      const bool queue = binding.spec().family() == Family::queue;
      if (queue && !impossible(items, binding)) {
        if (auto verdict = judge_queue(binding, ids, items, options)) return *std::move(verdict);
      }
      if (!queue && !pending) {
        if (auto verdict = judge_stack_or_priorities(binding, ids, items, options)) return *std::move(verdict);
      }
      // What found nothing is explained by now, whatever the order of the rest.
      if (!pending && !items.empties.empty()) return judge_found(binding, ids, options);
    }
  }
  return search_intervals(binding, ids, false, options);
}

bool fails_with_any_factor(const Binding& binding, std::span<const OperationId> ids) {
  const Collected collected = collect_items(binding, ids);
  if (!collected.items) return collected.counterexample.has_value();
  if (!collected.items->peeks.empty()) return false;
  const bool pending = !collected.items->pending_removals.empty();
  return impossible(pending ? removed_only(*collected.items) : *collected.items, binding).has_value();
}

unsigned least_factor(const Binding& binding, std::span<const OperationId> ids) {
  const Collected collected = collect_items(binding, ids);
  if (!collected.items || !collected.items->peeks.empty()) return 0;
  const Items items = collected.items->pending_removals.empty() ? *collected.items : removed_only(*collected.items);
  return binding.spec().family() == Family::queue ? least_displacement(items).by
                                                  : certain_skips(items, binding.spec().family()).by;
}

Overtakings find_overtakings(const Binding& binding, std::span<const OperationId> ids, const JudgeOptions& options) {
  const Family family = binding.spec().family();
  const Collected collected = options.monitors ? collect_items(binding, ids) : Collected{};
  if (collected.items && collected.items->peeks.empty()) {
    const unsigned factor = binding.spec().factor();
    Limits limits(options);
    if (family == Family::queue) {
      if (const auto orders = relaxed_queue_orders(*collected.items, factor, limits))
        return from_orders(*collected.items, *orders);
    } else if (collected.items->pending_removals.empty()) {
      if (const auto order = find_order(*collected.items, family, factor, options))
        return from_witness(binding, *order);
    }
  }
  JudgeOptions search = options;
  search.explain = true;
  const Verdict verdict = search_intervals(binding, ids, false, search);
  const auto* witness = std::get_if<Witness>(&verdict);
  return witness ? from_witness(binding, witness->order) : Overtakings{};
}

}  // namespace muster
