#pragma once
// The unbounded k-FIFO queue (Kirsch, Lippautz, Payer 2013; Round-Up, Table IV: ubk-queue): a list of segments of
// factor + 1 cells; enqueues fill any cell of the last segment, dequeues empty any cell of the first. Segments live as
// long as the queue.
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "../include/chain.hpp"
#include "find_cell.hpp"
#include "pick.hpp"
#include "versioned_pointer.hpp"

namespace subjects::roundup {

template <class Pick = SeededPick>
class UnboundedKFifo {
 public:
  explicit UnboundedKFifo(unsigned factor, Pick pick = Pick{}) : k_{factor + 1}, pick_(pick) {}
  UnboundedKFifo(const UnboundedKFifo&) = delete;
  UnboundedKFifo& operator=(const UnboundedKFifo&) = delete;

  ~UnboundedKFifo() { delete_chain(oldest_); }

  void enq(int value) {
    for (;;) {
      Segment* const tail = tail_.load();
      std::atomic<int>* const free = find_cell(tail->cells, k_, pick_, [](int cell) { return cell == kEmpty; });
      if (tail != tail_.load()) continue;
      if (free == nullptr) {
        advance_tail(tail);
        continue;
      }
      int expected = kEmpty;
      if (free->compare_exchange_strong(expected, value) && committed(*tail, value, *free)) return;
    }
  }

  std::optional<int> deq() {
    for (;;) {
      const Head head = head_.load();
      std::atomic<int>* const found = find_cell(head->cells, k_, pick_, [](int cell) { return cell > kEmpty; });
      Segment* const tail = tail_.load();
      if (head != head_.load()) continue;
      if (found != nullptr) {
        // The segment that is emptied must not be filled any more.
        if (head.get() == tail) advance_tail(tail);
        int value = found->load();
        if (value > kEmpty && found->compare_exchange_strong(value, kGone)) return value;
      } else if (head.get() == tail) {
        if (tail == tail_.load()) return std::nullopt;
      } else {
        advance_head(head);
      }
    }
  }

 private:
  static constexpr int kEmpty = 0;
  static constexpr int kGone = -1;

  struct Segment {
    explicit Segment(unsigned k) : cells{std::make_unique<std::atomic<int>[]>(k)} {}
    const std::unique_ptr<std::atomic<int>[]> cells;
    std::atomic<bool> being_removed{false};
    std::atomic<Segment*> next{nullptr};
  };

  using Head = VersionedPointer<Segment>;

  // An item put into a segment that has left the queue meanwhile is withdrawn, unless somebody has taken it.
  bool committed(Segment& segment, int value, std::atomic<int>& cell) {
    if (cell.load() != value) return true;
    const Head head = head_.load();
    if (!segment.being_removed.load()) {
      if (head.get() != &segment) return true;
      // It is the first segment: changing the head's version makes those fail who would give the segment up as empty.
      std::uint64_t expected = head;
      if (head_.compare_exchange_strong(expected, head.next(&segment))) return true;
    }
    int expected = value;
    return !cell.compare_exchange_strong(expected, kGone);
  }

  void advance_tail(Segment* from) {
    Segment* next = from->next.load();
    if (next == nullptr) {
      auto made = std::make_unique<Segment>(k_);
      if (from->next.compare_exchange_strong(next, made.get())) next = made.release();
    }
    tail_.compare_exchange_strong(from, next);
  }

  // The mark stays even if the segment does, because an item was committed to it: later ones go elsewhere.
  void advance_head(Head from) {
    Segment* const next = from->next.load();
    from->being_removed.store(true);
    std::uint64_t expected = from;
    head_.compare_exchange_strong(expected, from.next(next));
  }

  const unsigned k_;
  Pick pick_;
  Segment* oldest_ = new Segment{k_};
  std::atomic<std::uint64_t> head_{Head{oldest_}};
  std::atomic<Segment*> tail_{oldest_};
};

}  // namespace subjects::roundup
