#include "judge/frontier/frontier_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace muster {

Counterexample no_order_explains(const Binding& binding, std::span<const OperationId> ids, std::uint32_t misfit) {
  Counterexample result;
  result.operations.assign(ids.begin(), ids.end());
  result.misfits.push_back(ids[misfit]);
  result.reason = fmt::format("no order of the operations explains {}", to_string(binding.history(), ids[misfit]));
  return result;
}

std::string what_overlaps(const History& history, std::span<const OperationId> ids,
                          std::span<const std::uint32_t> events) {
  constexpr std::size_t most_named = 8;
  std::vector<OperationId> open;
  for (const std::uint32_t event : events) {
    const OperationId id = ids[event >> 1];
    if (history[id].is_pending()) continue;
    event & 1 ? static_cast<void>(std::erase(open, id)) : open.push_back(id);
  }
  std::string names;
  for (std::size_t at = 0; at < std::min(open.size(), most_named); ++at) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", to_string(history, open[at]));
    if (const std::uint32_t line = history[open[at]].line) names += fmt::format(" in line {}", line);
  }
  if (open.size() > most_named) names += ", …";
  return fmt::format("; {} operations overlap there: {}", open.size(), names);
}

}  // namespace muster
