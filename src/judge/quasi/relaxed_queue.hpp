#pragma once
// Queues of distinct values that are out of order by at most a factor.

#include <optional>
#include <vector>

#include "judge/core/limits.hpp"
#include "judge/monitor/items.hpp"

namespace muster {

/// The items in the order in which they go in and in which they come out; what is never removed comes out last.
struct QueueOrders {
  std::vector<std::uint32_t> in, out;
};

/// Both orders, each keeping precedence, with no item displaced by more than `factor` between them; nothing if there
/// are none, or, as `limits` then tells, a limit was hit. Exactly with such orders no item overtakes, or is overtaken
/// by, more than `factor` others. Knows nothing of pending removals; what found nothing adds no more than covered_empty
/// says. Where no two insertions overlap, earliest deadlines decide, in O(n log n).
std::optional<QueueOrders> relaxed_queue_orders(const Items& items, unsigned factor, Limits& limits);

/// The same by the search that needs no order of the insertions.
std::optional<QueueOrders> side_by_side(const Items& items, unsigned factor, Limits& limits);

/// Some item is displaced by so much in all orders, so no smaller factor explains the items.
struct Displaced {
  unsigned by = 0;
  std::uint32_t item = 0;
};
Displaced least_displacement(const Items& items);

}  // namespace muster
