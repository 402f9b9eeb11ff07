#pragma once
// Sets of model threads, as bits of a word.

#include <bit>
#include <cstdint>

#include "schedule/point.hpp"

namespace muster {

constexpr std::uint64_t bit(ThreadId id) { return std::uint64_t{1} << id; }

/// The threads of a set as options, in the order of their numbers; gives back how many there are.
inline unsigned list(std::uint64_t set, Option* into) {
  unsigned count = 0;
  for (; set; set &= set - 1) into[count++] = static_cast<Option>(std::countr_zero(set));
  return count;
}

/// The n-th thread of a set, in the order of their numbers.
inline ThreadId member(std::uint64_t set, unsigned n) {
  while (n-- > 0) set &= set - 1;
  return static_cast<ThreadId>(std::countr_zero(set));
}

}  // namespace muster
