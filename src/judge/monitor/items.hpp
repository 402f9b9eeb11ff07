#pragma once
// Container histories by value: who put it in, who took it out, who looked at it. Time is numbered afresh, densely, so
// that the monitors can sweep over it and keep arrays by time.

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "judge/core/limits.hpp"
#include "judge/core/verdict.hpp"
#include "spec/spec.hpp"

namespace muster {

/// Index of a call or return in the timeline; `never` for what does not happen.
using Moment = Position;

struct Item {
  Moment insert_call = never;
  Moment insert_return = never;
  Moment remove_call = never;  ///< `never`: not removed
  Moment remove_return = never;
  OperationId insert = never;
  OperationId remove = never;

  bool is_removed() const { return remove != never; }
  /// It is certainly inside from the return of its insertion to the call of its removal, where that is any time at all.
  bool is_critical() const { return insert_return < remove_call; }
};

struct Peek {
  Moment call, ret;
  OperationId id;
  std::uint32_t item;
};

/// An operation that found nothing.
struct Empty {
  Moment call, ret;
  OperationId id;
};

/// What happens at a moment, for sweeping.
struct ItemEvent {
  enum Kind : std::uint32_t {
    insert_call,
    insert_return,
    remove_call,
    remove_return,
    peek_call,
    peek_return,
    empty_call,
    empty_return
  };
  std::uint32_t kind : 3;
  std::uint32_t index : 29;  ///< into items, peeks or empties
};

struct Items {
  std::vector<Item> items;
  std::vector<Value> values;  ///< by item
  std::vector<Peek> peeks;
  std::vector<Empty> empties;
  std::vector<ItemEvent> events;  ///< by moment
  std::vector<OperationId> pending_removals;

  Moment end() const { return static_cast<Moment>(events.size()); }
};

/// What collecting found: items, or at once a counterexample, or neither where the values do not let a monitor decide
/// (one inserted twice, unless one came out more often than it went in; a removal without a recorded answer).
/// Insertions that are pending and unseen are left out; removals that are pending are only listed.
struct Collected {
  std::optional<Items> items;
  std::optional<Counterexample> counterexample;
};
///
/// `taken` says of some pending removals, sorted, which value they are taken to have removed.
using Taken = std::vector<std::pair<OperationId, Value>>;
Collected collect_items(const Binding& binding, std::span<const OperationId> ids, const Taken& taken = {},
                        Limits* limits = nullptr);

/// The same history without the items that nobody removed.
Items removed_only(const Items& items, Limits* limits = nullptr);

}  // namespace muster
