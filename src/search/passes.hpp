#pragma once
// The passes of a search: bounds grow, so that what is found first has as few preemptions as any.

#include <optional>

#include "schedule/depth_first_strategy.hpp"
#include "search/strategy_config.hpp"

namespace muster {

class Passes {
 public:
  /// The first pass, or the one that an earlier run had begun.
  explicit Passes(const StrategyConfig& strategy, const std::optional<DepthFirstBounds>& begun = {})
      : last_{strategy.preemptions, strategy.kind == StrategyKind::reduction ? 0 : strategy.late_yields} {
    const bool unbounded = strategy.preemptions >= DepthFirstBounds::unbounded;
    bounds_ = begun.value_or(DepthFirstBounds{unbounded ? strategy.preemptions : 0, 0});
  }

  const DepthFirstBounds& bounds() const { return bounds_; }

  /// Goes on to the next pass. None follows if larger bounds would add nothing to what this one has searched, or are
  /// not asked for.
  bool next(Traversal::LeftOut left_out) {
    if (left_out.preemptions && bounds_.preemptions < last_.preemptions) {
      ++bounds_.preemptions;
      return true;
    }
    // Late yields are added at the last bound only: lower ones were seen without.
    if (!left_out.late_yields || bounds_.late_yields >= last_.late_yields) return false;
    bounds_ = {last_.preemptions, bounds_.late_yields + 1};
    return true;
  }

  /// One more bound, beyond those that were asked for.
  void grow() { bounds_ = last_ = {last_.preemptions + 1, last_.late_yields}; }
  bool is_at_last() const { return bounds_.preemptions >= last_.preemptions; }

  /// So many at most, this one included.
  unsigned most_left() const {
    const unsigned of_preemptions =
        bounds_.preemptions < last_.preemptions ? last_.preemptions - bounds_.preemptions : 0;
    return 1 + of_preemptions + last_.late_yields - bounds_.late_yields;
  }

 private:
  DepthFirstBounds last_, bounds_;
};

}  // namespace muster
