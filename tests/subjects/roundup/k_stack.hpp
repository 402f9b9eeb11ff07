#pragma once
// The k-stack (Henzinger, Kirsch, Payer, Sezgin, Sokolova 2013; Round-Up, Table IV): a stack of segments of factor + 1
// cells; a push fills any cell of the top segment, a pop empties any. Segments live as long as the stack.
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "../include/graveyard.hpp"
#include "find_cell.hpp"
#include "pick.hpp"
#include "versioned_pointer.hpp"

namespace subjects::roundup {

enum class KStackFault {
  kNone,
  /// Round-Up, Algorithm 3: whether the segment is being removed is asked twice; if the answer changes in between, the
  /// push leaves its item where it is and pushes it once more.
  kAsksTwice,
};

template <class Pick = SeededPick, KStackFault fault = KStackFault::kNone>
class KStack {
 public:
  explicit KStack(unsigned factor, Pick pick = Pick{}) : k_{factor + 1}, pick_(pick) {}
  KStack(const KStack&) = delete;
  KStack& operator=(const KStack&) = delete;

  void push(int value) {
    for (;;) {
      const Top top = top_.load();
      std::atomic<int>* const free = find_cell(top->cells, k_, pick_, [](int cell) { return cell == kEmpty; });
      if (top != top_.load()) continue;
      if (free == nullptr) {
        add_segment(top);
        continue;
      }
      int expected = kEmpty;
      if (free->compare_exchange_strong(expected, value) && committed(top, value, *free)) {
        top->pushed.fetch_add(1);
        return;
      }
    }
  }

  std::optional<int> pop() {
    for (;;) {
      const Top top = top_.load();
      const unsigned pushed_before = top->pushed.load();
      std::atomic<int>* const found = find_cell(top->cells, k_, pick_, [](int cell) { return cell != kEmpty; });
      if (top != top_.load()) continue;
      if (found != nullptr) {
        int value = found->load();
        if (value != kEmpty && found->compare_exchange_strong(value, kEmpty)) return value;
      } else if (top->below == nullptr) {
        // Nothing was completed while we looked, so at the end all that was completed before is gone.
        if (top->pushed.load() == pushed_before && top == top_.load()) return std::nullopt;
      } else {
        try_remove_segment(top);
      }
    }
  }

 private:
  static constexpr int kEmpty = 0;

  struct Segment : Buried<Segment> {
    Segment(unsigned k, Segment* below) : cells{std::make_unique<std::atomic<int>[]>(k)}, below{below} {}
    const std::unique_ptr<std::atomic<int>[]> cells;
    Segment* const below;
    std::atomic<int> being_removed{0};  // by how many pops
    std::atomic<unsigned> pushed{0};
    Segment* next = nullptr;
  };

  using Top = VersionedPointer<Segment>;

  bool committed(Top top, int value, std::atomic<int>& cell) {
    Segment& segment = *top.get();
    if (cell.load() != value) return true;
    if (segment.being_removed.load() == 0) return true;
    if constexpr (fault == KStackFault::kAsksTwice) {
      if (segment.being_removed.load() == 0) return false;
    }
    // Changing the top's version makes those fail who would remove the segment.
    std::uint64_t expected = top;
    if (top_.compare_exchange_strong(expected, top.next(&segment))) return true;
    // The segment may be gone: the item is withdrawn, unless somebody has popped it.
    int item = value;
    return !cell.compare_exchange_strong(item, kEmpty);
  }

  void add_segment(Top top) {
    Segment* const made = make(top.get());
    std::uint64_t expected = top;
    top_.compare_exchange_strong(expected, top.next(made));
  }

  void try_remove_segment(Top top) {
    Segment& segment = *top.get();
    segment.being_removed.fetch_add(1);
    std::uint64_t expected = top;
    if (is_empty(segment) && top_.compare_exchange_strong(expected, top.next(segment.below))) return;
    segment.being_removed.fetch_sub(1);
  }

  bool is_empty(const Segment& segment) const {
    for (unsigned i = 0; i < k_; ++i) {
      if (segment.cells[i].load() != kEmpty) return false;
    }
    return true;
  }

  // Readers may still look at a segment that was removed, so each belongs to the graveyard from the start.
  Segment* make(Segment* below) {
    Segment* const made = new Segment{k_, below};
    segments_.bury(made);
    return made;
  }

  const unsigned k_;
  Pick pick_;
  Graveyard<Segment> segments_;
  std::atomic<std::uint64_t> top_{Top{make(nullptr)}};
};

}  // namespace subjects::roundup
