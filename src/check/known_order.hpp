#pragma once
// The real-time order of operations as their callers can know it. Where atomics have older values, that one operation
// returned before another was called means little: nothing need have told the second caller. What counts then is
// whether the return happened before the call; and callers may order a return before a call by means of their own,
// where that does not contradict what was read.

#include <array>
#include <cstdint>

#include "base/tape.hpp"
#include "memory/race_detector.hpp"
#include "memory/strong_order.hpp"
#include "rule/history_class.hpp"

namespace muster {

class KnownOrder {
 public:
  void call(const RaceDetector& races, ThreadId thread, unsigned operation, std::uint64_t returned);
  /// Whatever the thread releases from now on tells of it.
  void ret(const RaceDetector& races, ThreadId thread, unsigned operation) {
    returns_[operation] = {races.known(), races.now(), thread};
  }

  /// The same history without what no caller need know.
  Recorded weakened(const Recorded& history) const;
  /// All that callers may order besides: a call comes before a return if it does so in every execution with the same
  /// values. Any order of calls and returns that keeps to this can be made by callers, if no atomic is seq_cst; else
  /// if it is allowed besides.
  HistoryClass with_callers(const Recorded& weakened, StrongOrder& order) const;
  /// Whether seq_cst lets callers add what `history` orders besides.
  bool allows(const Recorded& history, const Recorded& weakened, StrongOrder& order) const;

  void pass(Tape& tape) {
    tape.pass(calls_);
    tape.pass(returns_);
    tape.pass(before_);
  }

 private:
  std::array<StrongOrder::Moment, max_operations> calls_{}, returns_{};
  std::array<std::uint64_t, max_operations> before_{};
};

}  // namespace muster
