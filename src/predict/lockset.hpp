#pragma once
// Sets of held locks, interned: equal sets have equal numbers, so profiles compare and store a word for each.

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <span>
#include <vector>

namespace muster::predict {

using LocksetId = std::uint32_t;
inline constexpr LocksetId no_locks = 0;

/// A lock and how it is held. Ordered by lock, then shared before exclusive.
struct Held {
  std::uint32_t lock : 31;
  std::uint32_t exclusive : 1;

  bool operator==(const Held&) const = default;
};

class LocksetTable {
 public:
  LocksetTable() : sets_{{0, 0, 0}} { ids_[{}] = no_locks; }

  /// The set with `held` added.
  LocksetId with(LocksetId set, Held held);

  std::span<const Held> locks(LocksetId set) const { return {arena_.data() + sets_[set].start, sets_[set].size}; }

  /// Whether two threads can hold these sets at one time: a lock in both is shared in both.
  bool compatible(LocksetId a, LocksetId b) const {
    if ((sets_[a].signature & sets_[b].signature) == 0) return true;
    return compatible_slow(a, b);
  }

  /// Whether `a` excludes no thread that `b` does not exclude.
  bool weaker(LocksetId a, LocksetId b) const;

 private:
  struct Set {
    std::uint64_t signature;  // a bit for each lock, modulo 64: no common bit means no common lock
    std::uint32_t start, size;
  };

  bool compatible_slow(LocksetId a, LocksetId b) const;

  std::vector<Set> sets_;
  std::vector<Held> arena_;
  absl::flat_hash_map<std::vector<std::uint32_t>, LocksetId> ids_;
  absl::flat_hash_map<std::uint64_t, LocksetId> added_;  // (set, held) to the larger set
};

}  // namespace muster::predict
