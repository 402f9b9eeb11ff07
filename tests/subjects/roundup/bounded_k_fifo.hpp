#pragma once
// The bounded k-FIFO queue (Kirsch, Lippautz, Payer 2013; Round-Up, Table IV: bk-queue): a ring of segments of factor +
// 1 cells; enqueues fill any cell of the last segment, dequeues empty any cell of the first. Cells carry a version
// against ABA, and so do head and tail.
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "pick.hpp"

namespace subjects::roundup {

template <class Pick = SeededPick>
class BoundedKFifo {
 public:
  explicit BoundedKFifo(unsigned factor, unsigned segments = 4, Pick pick = Pick{})
      : k_{factor + 1},
        size_{k_ * segments},
        pick_(pick),
        cells_{std::make_unique<std::atomic<std::uint64_t>[]>(size_)} {}

  /// False if the queue is full.
  bool enq(int value) {
    for (;;) {
      Word tail = tail_.load();
      const Word head = head_.load();
      const std::optional<Found> free = find(tail, [](Word cell) { return cell.value() == kEmpty; });
      if (tail != tail_.load()) continue;
      if (free) {
        const Word filled = free->cell.next(value);
        if (exchange(free->index, free->cell, filled) && committed(tail, filled, free->index)) return true;
      } else if (position_after(tail) == head.position()) {
        if (find(head, is_item) && head == head_.load()) return false;
        advance(head_, head);
      } else {
        advance(tail_, tail);
      }
    }
  }

  std::optional<int> deq() {
    for (;;) {
      const Word head = head_.load();
      const std::optional<Found> item = find(head, is_item);
      const Word tail = tail_.load();
      if (head != head_.load()) continue;
      if (item) {
        // The segment that is emptied must not be filled any more.
        if (head.position() == tail.position()) advance(tail_, tail);
        if (exchange(item->index, item->cell, item->cell.next(kEmpty))) return item->cell.value();
      } else if (head.position() == tail.position()) {
        if (tail == tail_.load()) return std::nullopt;
      } else {
        advance(head_, head);
      }
    }
  }

 private:
  static constexpr int kEmpty = 0;

  /// A value or position and a version, in one atomic word.
  class Word {
   public:
    Word(std::uint64_t bits) : bits_{bits} {}
    operator std::uint64_t() const { return bits_; }
    int value() const { return static_cast<int>(bits_ & 0xffffffff); }
    unsigned position() const { return static_cast<unsigned>(bits_ & 0xffffffff); }
    Word next(std::uint32_t low) const { return ((bits_ >> 32) + 1) << 32 | low; }

   private:
    std::uint64_t bits_;
  };

  struct Found {
    unsigned index;
    Word cell;
  };

  static bool is_item(Word cell) { return cell.value() != kEmpty; }

  template <class Wanted>
  std::optional<Found> find(Word segment, Wanted wanted) {
    const unsigned first = pick_(k_);
    for (unsigned i = 0; i < k_; ++i) {
      const unsigned index = segment.position() + (first + i) % k_;
      const Word cell = cells_[index].load();
      if (wanted(cell)) return Found{index, cell};
    }
    return std::nullopt;
  }

  bool exchange(unsigned index, std::uint64_t from, Word to) { return cells_[index].compare_exchange_strong(from, to); }

  unsigned position_after(Word segment) const { return (segment.position() + k_) % size_; }

  void advance(std::atomic<std::uint64_t>& end, Word from) {
    std::uint64_t expected = from;
    end.compare_exchange_strong(expected, from.next(position_after(from)));
  }

  // An item put into a segment that has left the queue meanwhile is withdrawn, unless somebody has taken it.
  bool committed(Word tail_then, Word filled, unsigned index) {
    if (cells_[index].load() != filled) return true;
    const Word tail = tail_.load();
    Word head = head_.load();
    const unsigned place = distance(head, tail_then);
    if (place != 0 && place <= distance(head, tail)) return true;
    if (place == 0) {
      // It is the first segment: changing the head's version makes those fail who would give the segment up as empty.
      std::uint64_t expected = head;
      if (head_.compare_exchange_strong(expected, head.next(head.position()))) return true;
    }
    return !exchange(index, filled, filled.next(kEmpty));
  }

  unsigned distance(Word from, Word to) const { return (to.position() + size_ - from.position()) % size_; }

  const unsigned k_;
  const unsigned size_;
  Pick pick_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> cells_;
  std::atomic<std::uint64_t> head_{0};
  std::atomic<std::uint64_t> tail_{0};
};

}  // namespace subjects::roundup
