#pragma once

#include <optional>
#include <span>
#include <vector>

#include "judge/monitor/items.hpp"

namespace muster {

/// By item, where it stands in an order that every first-in-first-out explanation could follow: a before b if a's
/// insertion or removal precedes b's. Nothing if there is no such order.
std::optional<std::vector<std::uint32_t>> queue_order(const Items& items);

}  // namespace muster
