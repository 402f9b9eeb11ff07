#pragma once
// What the frontier search (frontier_engine.hpp) asks of an Object that knows its states. An Object has
//
//   State, with == and hash(); initial()
//   restart()                        before the first event
//   kind(op), is_deferred(op)        equal for operations that nothing tells apart; has no place of its own (see below)
//   is_observer(op), is_free(state, op)   may change nothing; is legal now, and changes nothing
//   called_for_ever(op)              an operation that never returns is there from now on
//   begin(now, open)                 before each closure: the position it is at, and the open operations
//   step(place, from, op, out)       what an open operation can lead to; spends what never returns, if it must
//   spend(place, from, out)          what an operation that never returns can lead to
//   settle(layer, open, is_marked)   after each closure
//
// and what FrontierObject below gives all of them. A deferred operation has no place: those that need it linearize it.
// When it returns, those that must come before it have their last chance.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "judge/core/timeline.hpp"
#include "spec/spec.hpp"

namespace muster {

using Index = std::uint32_t;

struct OpenOperation {
  Index op;
  std::uint32_t kind;
  Position ret;
};

/// Keeps them sorted by kind, then by return.
inline void insert_open(std::vector<OpenOperation>& open, const OpenOperation& opened) {
  const auto place = std::ranges::upper_bound(open, opened, [](const OpenOperation& a, const OpenOperation& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.ret < b.ret;
  });
  open.insert(place, opened);
}

/// Where a closure stands: how many steps it has made, and, if frontiers merge, a number for what is linearized.
struct Place {
  std::uint32_t level = 0;
  std::uint32_t marks = 0;
};

/// Of what never returns, each weighs the same.
struct EachOne {
  std::uint64_t operator()(std::uint32_t) const { return 1; }
};

/// What most objects do.
struct FrontierObject {
  /// Frontiers with the same operations linearized become one, and all that lead to them come first; there is
  ///   merge(frontiers)
  static constexpr bool merges = false;
  std::size_t least_width() const { return 16; }  ///< so many frontiers are kept at first
  static constexpr std::size_t bytes() { return 0; }

  bool is_deferred(Index) const { return false; }
  bool must_come_before(Index, Index) const { return false; }  ///< the first before the second, which is deferred
  void uncalled_for_ever(Index) {}  ///< the search goes back to before that; so for the two below
  void called_deferred(Index) {}
  void uncalled_deferred(Index) {}
  void forget_deferred(Index) {}  ///< it has returned
  void unforget_deferred(Index) {}
  void returned_deferred(auto&, Index) const {}               ///< what that means for a state
  bool is_doomed(const auto&, Index) const { return false; }  ///< the operation can never happen after this state
  bool dooms(Index, Index) const { return false; }            ///< after the first the second can never happen
  bool is_hidden(const auto&, Index) const { return false; }  ///< can be before what happened, and nobody would notice
  bool includes(const auto& a, const auto& b) const { return a == b; }  ///< all that is possible after b is after a
  bool is_useful(Index) const { return true; }                          ///< to be linearized before it must be
  std::uint64_t cost(const auto&, std::uint32_t) const {
    return 0;
  }  ///< of what is spent: few frontiers are those that spend least
  bool spends_no_more(std::uint32_t a, std::uint32_t b) { return a == b; }
  void spend(const Place&, const auto&, std::uint32_t, auto&) {}
  void spend_least() {}                       ///< before an operation is forced: spends little at first
  bool spend_more() { return false; }         ///< there was no way with that; false: nor will there be with more
  void spent_at_least(std::uint64_t) {}       ///< what the cheapest frontier has, before each closure
  void limit(std::size_t) {}                  ///< more steps from one state than this are of no use
  bool was_limited() const { return false; }  ///< since then
  std::uint64_t count(std::uint32_t) const { return 0; }  ///< of what is spent
  void settle(auto&, const auto&, auto&&) {}
  void collect(auto&&) {}  ///< a chance to drop what no state needs that the argument visits, and to number states anew
};

/// Events and places of the operations of one history. Operations that never return, and deferred ones, have no place.
struct FrontierPlan {
  static constexpr std::uint16_t no_slot = ~std::uint16_t{0};

  std::vector<std::uint32_t> events;  ///< index << 1 | is_return
  std::vector<std::uint16_t> slot;    ///< by operation
  std::uint32_t slots = 0;

  template <class IsDeferred>
  FrontierPlan(const Binding& binding, std::span<const OperationId> ids, IsDeferred&& is_deferred)
      : events(timeline(binding.history(), ids)), slot(ids.size(), no_slot) {
    std::vector<std::uint16_t> free;
    for (const std::uint32_t event : events) {
      const Index op = event >> 1;
      if (binding.history()[ids[op]].is_pending() || is_deferred(op)) continue;
      if (event & 1) {
        free.push_back(slot[op]);
      } else if (free.empty()) {
        if (slots == no_slot) return;
        slot[op] = static_cast<std::uint16_t>(slots++);
      } else {
        slot[op] = free.back();
        free.pop_back();
      }
    }
  }
};

}  // namespace muster
