#include "schedule/retry_table.hpp"

#include "base/hash.hpp"

namespace muster {
namespace {

std::uint64_t key(const Arrival& arrival, std::span<const SeenValue> reads) {
  std::uint64_t key = mix(arrival.start, arrival.site);
  for (const SeenValue& read : reads) key = mix(key, mix(read.object, read.value));
  return key;
}

}  // namespace

std::uint64_t RetryTable::remember(const Arrival& arrival, const std::function<std::uint64_t()>& state) {
  const auto [entry, fresh] = states_.try_emplace(key(arrival, arrival.reads), 0);
  if (fresh) entry->second = state();
  return entry->second;
}

RetryTable::Claim RetryTable::claim(const Arrival& arrival, std::uint64_t state) {
  return {key(arrival, arrival.reads.subspan(arrival.earlier)), state};
}

RetryTable::Answer RetryTable::holds(const Claim& claim) const {
  const auto known = states_.find(claim.key);
  if (known == states_.end()) return Answer::unknown;
  return known->second == claim.expected ? Answer::yes : Answer::no;
}

}  // namespace muster
