#include "judge/core/parts.hpp"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <numeric>

namespace muster {

std::vector<OperationId> all_of(const History& history) {
  std::vector<OperationId> ids(history.size());
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

std::vector<Part> split_by_key(const Binding& binding) {
  absl::flat_hash_map<Value, std::uint32_t> numbers;
  std::vector<Part> parts;
  const History& history = binding.history();
  for (OperationId id = 0; id < history.size(); ++id) {
    const Value key = binding.key(history[id]);
    const auto [found, fresh] = numbers.try_emplace(key, static_cast<std::uint32_t>(parts.size()));
    if (fresh) parts.push_back({key, {}});
    parts[found->second].ids.push_back(id);
  }
  std::ranges::sort(parts, {}, &Part::key);
  return parts;
}

}  // namespace muster
