#pragma once
// One execution, cut where each thread is between operations or before something it waits for.

#include <absl/container/inlined_vector.h>

#include <span>
#include <vector>

#include "reduction/reduction_strategy.hpp"

namespace muster {

/// Whether a thread had something to wait for, other than its own start, in this transition.
bool waits_at(const CausalOrder& order, TransitionIndex transition);

/// One for each thread. Every execution is cut: small ones without the heap.
template <class T>
using ByThread = absl::InlinedVector<T, 8>;

class Cutter {
 public:
  using Transitions = absl::InlinedVector<TransitionIndex, 24>;
  using Objects = absl::InlinedVector<ObjectId, 8>;
  /// How many transitions of each thread lie in a cut.
  using Cut = std::vector<std::uint32_t>;

  explicit Cutter(const CausalOrder& order);

  /// Of each thread, by number.
  const ByThread<Transitions>& transitions() const { return transitions_; }
  std::uint32_t ordinal(TransitionIndex i) const;
  bool inside(TransitionIndex i, const Cut& cut) const { return ordinal(i) < cut[order_.thread(i)]; }

  /// Whether nothing that `thread` and those with smaller numbers did in the cut happened after something that one of
  /// them did outside.
  bool closed_up_to(std::size_t thread, const Cut& cut) const;

  /// Whether a thread whose next transition waits for something can block at some cut at which others have no more than
  /// `held`.
  bool may_block(TransitionIndex next, std::span<const ObjectId> held) const;
  /// Adds the locks that a thread has which made so many transitions.
  void add_held_by(ThreadId thread, std::uint32_t made, Objects& held) const;

  /// Whether a thread whose next transition waits for something cannot make it at the cut.
  bool blocked(TransitionIndex next, const Cut& cut) const;
  /// Whether a thread that never gets what it waits for waits already at the cut.
  bool blocked_at_end(ThreadId thread, std::span<const ReductionStrategy::Waiting> waiting, const Cut& cut) const;

 private:
  bool woken(const Access& wake, TransitionIndex next, const Cut& cut) const;
  bool taken(const Access& wanted, const Cut& cut) const;

  const CausalOrder& order_;
  ByThread<Transitions> transitions_;
};

}  // namespace muster
