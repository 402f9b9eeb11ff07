#include "schedule/symmetry.hpp"

#include <algorithm>
#include <bit>

namespace muster {
namespace {

constexpr std::uint64_t bit(ThreadId thread) { return std::uint64_t{1} << thread; }

/// What a thread reads to begin tells it from others by name alone.
bool own_start(const Access& access, ThreadId thread) { return access.object == objects::thread(thread); }

bool same_reads(std::span<const Access> a, ThreadId first, std::span<const Access> b, ThreadId second) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const Access& x, const Access& y) {
    if (x.mode != AccessMode::read || y.mode != AccessMode::read) return false;
    return (own_start(x, first) && own_start(y, second)) || (x.object == y.object && x.size == y.size);
  });
}

}  // namespace

bool did_the_same(const CausalOrder& order, ThreadId a, ThreadId b) {
  std::vector<TransitionIndex> of_a, of_b;
  for (TransitionIndex i = 0; i < order.size(); ++i) {
    if (order.thread(i) == a) of_a.push_back(i);
    if (order.thread(i) == b) of_b.push_back(i);
  }
  if (of_a.size() != of_b.size()) return false;
  for (std::size_t k = 0; k < of_a.size(); ++k) {
    if (!same_reads(order.accesses(of_a[k]), a, order.accesses(of_b[k]), b)) return false;
  }
  // Each other transition came before both, after both, or has nothing to do with either.
  for (TransitionIndex i = 0; i < order.size(); ++i) {
    if (order.thread(i) == a || order.thread(i) == b) continue;
    for (std::size_t k = 0; k < of_a.size(); ++k) {
      const auto ordered = [&](TransitionIndex x, TransitionIndex y) { return x < y && order.before(x, y); };
      if (ordered(i, of_a[k]) != ordered(i, of_b[k]) || ordered(of_a[k], i) != ordered(of_b[k], i)) return false;
    }
  }
  return true;
}

std::vector<std::uint64_t> Symmetry::groups(const CausalOrder& order, std::uint64_t threads, std::uint64_t chose) const {
  std::vector<std::uint64_t> groups;
  for (const std::uint64_t alike : alike_) {
    for (std::uint64_t left = alike & threads & ~chose; std::popcount(left) > 1;) {
      const auto first = static_cast<ThreadId>(std::countr_zero(left));
      std::uint64_t group = bit(first);
      for (std::uint64_t rest = left & (left - 1); rest; rest &= rest - 1) {
        const auto other = static_cast<ThreadId>(std::countr_zero(rest));
        if (did_the_same(order, first, other)) group |= bit(other);
      }
      left &= ~group;
      if (std::popcount(group) > 1) groups.push_back(group);
    }
  }
  return groups;
}

}  // namespace muster
