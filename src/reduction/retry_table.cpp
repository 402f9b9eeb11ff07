#include "reduction/retry_table.hpp"

#include "base/hash.hpp"

namespace muster {
namespace {

std::uint64_t key(const Arrival& arrival, std::span<const SeenValue> reads) {
  std::uint64_t key = mix(arrival.start, arrival.site);
  for (const SeenValue& read : reads) key = mix(key, mix(read.object, read.value));
  return key;
}

}  // namespace

std::uint64_t RetryTable::remember(const Arrival& arrival, StateHash state) {
  return states_.get(key(arrival, arrival.reads), state);
}

RetryTable::Claim RetryTable::claim(const Arrival& arrival, std::uint64_t state) {
  return {key(arrival, arrival.reads.subspan(arrival.earlier)), state};
}

RetryTable::Answer RetryTable::holds(const Claim& claim) const {
  const std::uint64_t* const known = states_.find(claim.key);
  if (!known) return Answer::unknown;
  return *known == claim.expected ? Answer::yes : Answer::no;
}

}  // namespace muster
