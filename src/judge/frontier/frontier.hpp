#pragma once
// A state that an object may be in, and which of the open operations led there.

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "base/hash.hpp"
#include "judge/frontier/frontier_object.hpp"

namespace muster {

template <class State, unsigned words>
struct Frontier {
  std::array<std::uint64_t, words> marks{};  ///< by place: linearized, not yet returned
  std::uint64_t tally = 0;                   ///< a sum over the kinds of those
  State state{};
  std::uint32_t spent = 0;  ///< of what never returns

  std::uint64_t key() const { return mix(tally, state.hash()); }
  bool is_marked(std::uint16_t slot) const { return marks[slot / 64] >> slot % 64 & 1; }
  void mark(std::uint16_t slot, std::uint32_t kind) {
    marks[slot / 64] ^= std::uint64_t{1} << slot % 64;
    tally += mix(kind, 1);
  }
  void unmark(std::uint16_t slot, std::uint32_t kind) {
    marks[slot / 64] ^= std::uint64_t{1} << slot % 64;
    tally -= mix(kind, 1);
  }
  std::uint64_t marked() const {
    std::uint64_t count = 0;
    for (const std::uint64_t word : marks) count += static_cast<std::uint64_t>(std::popcount(word));
    return count;
  }
};

/// Whether of each kind of the open operations as many are linearized in `a` as in `b`, and those that must return
/// first.
template <class AnyFrontier>
bool is_ahead(const AnyFrontier& a, const AnyFrontier& b, std::span<const OpenOperation> open,
              std::span<const std::uint16_t> slots) {
  if (a.marks == b.marks) return true;
  std::uint32_t kind = ~std::uint32_t{0};
  int ahead = 0;
  for (const OpenOperation& opened : open) {
    if (opened.kind != kind) {
      if (ahead != 0) return false;
      kind = opened.kind;
    }
    ahead += a.is_marked(slots[opened.op]);
    ahead -= b.is_marked(slots[opened.op]);
    if (ahead < 0) return false;
  }
  return ahead == 0;
}

}  // namespace muster
