#pragma once
// What the general search need not try for relaxed stacks and priority queues with distinct values and no pending removal.

#include <absl/container/flat_hash_map.h>

#include <optional>
#include <span>
#include <vector>

#include "judge/items.hpp"
#include "spec/relaxed_states.hpp"

namespace muster {

/// Each rule below moves an operation in an explanation and skips no item more often by it, so that what the rules leave out
/// is not needed. Operations are known by their index in `ids`.
class RelaxedGuide {
 public:
  /// Nothing where the rules do not hold.
  static std::optional<RelaxedGuide> make(const Binding& binding, std::span<const OperationId> ids,
                                          const StateSpace& states);

  /// A removal that skips only items that are certainly still inside when it returns cannot come too early.
  bool is_safe(StateId state, std::uint32_t index);

  /// Whether it can help to take `index` before `forced`, which returns next. An insertion into a priority queue cannot
  /// come too late; an insertion into a stack only helps to get below another one. A removal helps where it spares the
  /// forced operation an item to skip, or is spared one.
  bool may_help(StateId state, std::uint32_t index, std::uint32_t forced);

  /// How many items it skips now; insertions none.
  unsigned cost(StateId state, std::uint32_t index);

 private:
  struct Role {
    bool inserts = false;
    std::uint32_t item = 0;
  };
  struct Times {
    Position insert_call = never, remove_call = never, remove_return = never;
  };

  RelaxedGuide(const RelaxedStates& states, Family family) : states_(&states), family_(family) {}

  void look_at(StateId state);
  /// The rank of an item in the state looked at; nothing if it is not within reach.
  std::optional<std::size_t> rank_of(std::uint32_t item) const;
  bool would_be_skipped(std::uint32_t item, std::uint32_t by) const;

  const RelaxedStates* states_;
  Family family_;
  std::vector<Role> roles_;          ///< by operation
  std::vector<Times> times_;         ///< by item
  std::vector<Value> values_;        ///< by item
  absl::flat_hash_map<Value, std::uint32_t> items_;
  StateId looked_at_ = ~StateId{0};
  std::vector<Ranked> reach_;
};

}  // namespace muster
