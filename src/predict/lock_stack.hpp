#pragma once
// The locks one thread holds, in the order it took them.
//
// A lock released before one taken later (early unlock, hand-over-hand) stays on the stack until the later ones are
// gone: "coarsening". A thread is then said to hold more than it does, which can hide a prediction and never invents
// one.

#include <vector>

#include "predict/lockset.hpp"

namespace muster::predict {

class LockStack {
 public:
  struct Entry {
    Held held;
    std::uint32_t taken;  // index of the acquiring event in its thread; grows along the stack
    LocksetId through;    // the set of this and all locks below
    std::uint32_t count;  // reentrant acquisitions
    bool released;        // waits for the locks above it
  };

  /// Whether this was a new acquisition, not a reentrant one.
  bool acquire(Held held, std::uint32_t index, LocksetTable& locksets);
  void release(Held held);

  LocksetId lockset() const { return entries_.empty() ? no_locks : entries_.back().through; }

  /// The locks held without a break since the event `index`.
  LocksetId held_since(std::uint32_t index) const {
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry)
      if (entry->taken <= index) return entry->through;
    return no_locks;
  }

  bool coarsened() const { return coarsened_; }

 private:
  std::vector<Entry> entries_;
  bool coarsened_ = false;
};

}  // namespace muster::predict
