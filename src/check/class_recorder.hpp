#pragma once
// Where the operations of an execution begin and end among its transitions: makes its class, and the cuts of it in
// which everything pending is blocked while others have calls left.

#include <absl/functional/function_ref.h>

#include <vector>

#include "check/cutter.hpp"
#include "reduction/reduction_strategy.hpp"
#include "rule/history_class.hpp"

namespace muster {

class ClassRecorder {
 public:
  ClassRecorder(const Test& test, const ReductionStrategy& strategy);

  void begin_execution() { operations_.assign(operations_.size(), Span{}); }
  void call(ThreadId thread, unsigned operation, bool thread_starts);
  void ret(unsigned operation);

  void pass(Tape& tape) { tape.pass(operations_.data(), operations_.size() * sizeof(Span)); }

  HistoryClass whole(const Recorded& history) const;

  using Cut = Cutter::Cut;
  /// Cuts at which something is pending and all that is pending is blocked, except the end of the execution.
  void each_stuck_cut(const Recorded& history, absl::FunctionRef<void(const HistoryClass&, const Cut&)> tell) const;

  /// An order of the transitions (in `cut`, if it is not empty) in which the history is real: threads, one for each
  /// transition, with the number of the transition among those of its thread.
  struct Turn {
    ThreadId thread;
    std::uint32_t ordinal;
  };
  std::vector<Turn> order_with(const Recorded& history, const Cut& cut) const;

 private:
  struct Span {
    ThreadId thread = no_thread;
    std::int64_t begin = -1;  // the first transition that may be part of it
    std::int64_t end = -1;    // the last one
    bool never_ends() const { return begin >= 0 && end < 0; }
  };
  /// Where a thread may be at a cut: the number of its transitions made, the operation that is pending then (-1: none),
  /// and those that are done.
  struct Place {
    std::uint32_t made;
    int pending;
    std::uint64_t done;
  };
  using Places = absl::InlinedVector<Place, 8>;
  bool only_holds_locks_within_operations() const;
  Place place_of_main(const Cutter& cutter) const;
  Places places_of(ThreadId thread, const Cutter& cutter) const;
  void leave_out_where_nobody_blocks(ByThread<Places>& places, const Cutter& cutter) const;
  HistoryClass made_of(std::uint64_t called, std::uint64_t returned, const Recorded& history) const;
  std::int64_t first_transition(const Span& span) const;

  const Test& test_;
  const ReductionStrategy& strategy_;
  std::vector<TestOperation> list_;
  std::vector<Span> operations_;
  std::vector<std::uint64_t> beside_;  // by operation: those of other columns
};

}  // namespace muster
