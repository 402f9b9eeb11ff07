#pragma once
// Calls and returns of some operations in their order, as `index << 1 | is_return` with the index into the operations
// given.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "history/history.hpp"

namespace muster {

inline std::vector<std::uint32_t> timeline(const History& history, std::span<const OperationId> ids) {
  constexpr std::uint32_t nothing = ~std::uint32_t{0};
  std::vector<std::uint32_t> events;
  if (ids.size() * 4 > history.positions()) {
    // Nearly all positions are used: put each event into its place and close the gaps.
    events.assign(history.positions(), nothing);
    for (std::uint32_t index = 0; index < ids.size(); ++index) {
      const Operation& operation = history[ids[index]];
      events[operation.call] = index << 1;
      if (!operation.is_pending()) events[operation.ret] = index << 1 | 1;
    }
    if (ids.size() * 2 != events.size() || !history.is_complete()) std::erase(events, nothing);
    return events;
  }
  std::vector<std::uint64_t> keys;
  keys.reserve(ids.size() * 2);
  for (std::uint32_t index = 0; index < ids.size(); ++index) {
    const Operation& operation = history[ids[index]];
    keys.push_back(std::uint64_t{operation.call} << 32 | index << 1);
    if (!operation.is_pending()) keys.push_back(std::uint64_t{operation.ret} << 32 | index << 1 | 1);
  }
  std::ranges::sort(keys);
  events.reserve(keys.size());
  for (const std::uint64_t key : keys) events.push_back(static_cast<std::uint32_t>(key));
  return events;
}

}  // namespace muster
