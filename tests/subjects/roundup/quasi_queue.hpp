#pragma once
// A segmented queue (Round-Up, Figure 3): a list of segments of factor + 1 cells; a dequeue takes any item of the first
// segment that has one. A cell that was emptied is never filled again. Lock-free; segments live as long as the queue.
#include <atomic>
#include <memory>
#include <optional>

#include "../include/chain.hpp"
#include "pick.hpp"

namespace subjects::roundup {

enum class QuasiQueueFault {
  kNone,
  kLooksTooFar,    ///< b1: takes from the second segment too, more than the factor away from the head.
  kTakesTwice,     ///< b2: takes an item by a load and a store: it may have been removed before.
  kStopsAtTheEnd,  ///< b3: looks from a random cell to the end of the segment only, and may miss what is there.
};

template <class Pick = SeededPick, QuasiQueueFault fault = QuasiQueueFault::kNone>
class QuasiQueue {
 public:
  explicit QuasiQueue(unsigned factor, Pick pick = Pick{}) : size_{factor + 1}, pick_(pick) {}
  QuasiQueue(const QuasiQueue&) = delete;
  QuasiQueue& operator=(const QuasiQueue&) = delete;

  ~QuasiQueue() { delete_chain(oldest_); }

  void enq(int value) {
    for (;;) {
      Segment* const tail = tail_.load();
      const unsigned cell = tail->reserved.fetch_add(1);
      if (cell >= size_) {
        move_on(tail_, tail, next_or_new(*tail));
        continue;
      }
      int expected = kFree;
      if (tail->cells[cell].compare_exchange_strong(expected, value)) {
        tail->filled.fetch_add(1);
        return;
      }
    }
  }

  std::optional<int> deq() {
    for (;;) {
      Segment* const head = head_.load();
      const unsigned filled_before = head->filled.load();
      if (const std::optional<int> taken = take_any(*head)) return taken;
      if (Segment* const next = head->next.load()) {
        if (const std::optional<int> taken = close(*head)) return taken;
        move_on(head_, head, next);
        continue;
      }
      // Nothing was completed while we looked, so at the end all that was completed before is gone.
      if (head->filled.load() == filled_before) return std::nullopt;
    }
  }

 private:
  static constexpr int kFree = 0;
  static constexpr int kGone = -1;

  struct Segment {
    explicit Segment(unsigned size) : cells{std::make_unique<std::atomic<int>[]>(size)} {}
    const std::unique_ptr<std::atomic<int>[]> cells;
    std::atomic<unsigned> reserved{0};
    std::atomic<unsigned> filled{0};
    std::atomic<Segment*> next{nullptr};
  };

  std::optional<int> take_any(Segment& segment) {
    if constexpr (fault == QuasiQueueFault::kLooksTooFar) {
      Segment* const next = segment.next.load();
      if (next != nullptr && pick_(2) == 1) {
        if (const std::optional<int> taken = take_from(*next, 0)) return taken;
      }
    }
    return take_from(segment, pick_(size_));
  }

  std::optional<int> take_from(Segment& segment, unsigned first) {
    for (unsigned i = 0; i < size_; ++i) {
      if (fault == QuasiQueueFault::kStopsAtTheEnd && first + i == size_) break;
      if (const std::optional<int> taken = take(segment.cells[(first + i) % size_])) return taken;
    }
    return std::nullopt;
  }

  static std::optional<int> take(std::atomic<int>& cell) {
    int value = cell.load();
    if (value == kFree || value == kGone) return std::nullopt;
    if constexpr (fault == QuasiQueueFault::kTakesTwice) {
      cell.store(kGone);
      return value;
    }
    if (cell.compare_exchange_strong(value, kGone)) return value;
    return std::nullopt;
  }

  // An enqueue that has reserved a cell but not filled it must go elsewhere: later segments are in use already.
  std::optional<int> close(Segment& segment) {
    for (unsigned i = 0; i < size_; ++i) {
      int expected = kFree;
      if (segment.cells[i].compare_exchange_strong(expected, kGone)) continue;
      if (const std::optional<int> taken = take(segment.cells[i])) return taken;
    }
    return std::nullopt;
  }

  Segment* next_or_new(Segment& last) {
    if (Segment* const next = last.next.load()) return next;
    auto made = std::make_unique<Segment>(size_);
    Segment* next = nullptr;
    if (last.next.compare_exchange_strong(next, made.get())) return made.release();
    return next;
  }

  static void move_on(std::atomic<Segment*>& end, Segment* from, Segment* to) { end.compare_exchange_strong(from, to); }

  const unsigned size_;
  Pick pick_;
  Segment* oldest_ = new Segment{size_};
  std::atomic<Segment*> head_{oldest_};
  std::atomic<Segment*> tail_{oldest_};
};

}  // namespace subjects::roundup
