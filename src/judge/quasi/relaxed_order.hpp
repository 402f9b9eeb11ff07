#pragma once
// Finds an order in which a relaxed stack or priority queue explains its items, by moving operations to where they skip
// less. What it finds is an explanation; that it finds none proves nothing.
//
// Of an item only its insertion p and its removal q matter. The removal of x skips y in a stack iff p(x) < p(y) < q(x)
// < q(y), in a priority queue iff y comes first by its key and p(y) < q(x) < q(y). So if two neighbours in an order
// change places, nothing changes but whether one of their two items skips the other.

#include <cstdint>
#include <vector>

#include "base/rng.hpp"
#include "judge/core/limits.hpp"
#include "judge/monitor/items.hpp"

namespace muster {

class RelaxedOrder {
 public:
  /// Of items without peeks and pending removals; what found nothing is left out.
  RelaxedOrder(const Items& items, Family family);

  /// Whether an order was found in which no item skips, or is skipped by, more than `factor` others.
  bool improve(unsigned factor, Limits& limits);

  /// The most that an item skips, or is skipped, in the order found.
  unsigned most() const;
  std::vector<OperationId> operations() const;

 private:
  using Event = std::uint32_t;  // twice the item, and 1 for its removal
  static bool removes(Event event) { return event & 1; }
  static std::uint32_t item_of(Event event) { return event >> 1; }

  struct Skip {
    std::uint32_t by, item;
    bool happens;
  };

  void order_at_returns();
  bool count_skips();
  /// What `first` immediately before `second` means for their items.
  Skip skip(Event first, Event second) const;
  bool may_swap(std::size_t at) const;
  /// Changes places with the next one, and gives what that costs.
  std::int64_t swap(std::size_t at);
  std::int64_t add(Skip skip, int change);
  std::int64_t price(std::int64_t count) const;
  /// To the best place within reach.
  bool sift(std::size_t at);
  bool sift_all(Limits& limits);
  void shake(std::size_t from, std::size_t to);
  /// The places of removals that skip, or are skipped by, an item too often.
  std::vector<std::size_t> trouble() const;
  bool fits() const { return too_many_ == 0; }

  const Items& items_;
  Family family_;
  unsigned factor_ = 0;
  bool counted_ = false;
  std::vector<Event> order_;
  std::vector<std::uint32_t> place_;    // by event; never removed: after all
  std::vector<Moment> call_, ret_;      // by event
  std::vector<std::uint32_t> key_;      // by item, of a priority queue: its turn
  std::vector<std::uint32_t> skips_;    // by item: how many it skips
  std::vector<std::uint32_t> skipped_;  // by item: how often it is skipped
  std::uint64_t too_many_ = 0;          // counts above the factor
  Rng rng_{1};
};

}  // namespace muster
