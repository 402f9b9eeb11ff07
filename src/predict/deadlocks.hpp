#pragma once
// Deadlocks another order would show: threads that each hold a lock the next one takes (lock-order cycles, without
// those that a common outer lock or an unchangeable order rules out). A clash of two acquisition histories is the case
// of two.

#include <optional>
#include <vector>

#include "base/plan.hpp"
#include "predict/prediction.hpp"
#include "predict/profile.hpp"

namespace muster::predict {

/// Each holds a lock that the one before it takes, and the first what the last takes.
using Cycle = std::vector<Dependency>;

struct DeadlockPrediction {
  std::vector<Cycle> examples;  // the first ones through the same source locations, at most `most_examples`
  std::uint64_t count = 1;      // of all of them
  Grade grade = Grade::unscheduled;
  std::optional<Cycle> scheduled;  // the example the plan is for
  std::optional<Plan> plan;

  static constexpr std::size_t most_examples = 4;
  const Cycle& shown() const { return scheduled ? *scheduled : examples.front(); }
};

struct Deadlocks {
  bool lock_order_has_cycle = false;            // whether the run might deadlock at all
  std::vector<DeadlockPrediction> predictions;  // among those graded, certified ones come first
  bool complete = true;                         // whether the search ended before its limit
};

Deadlocks find_deadlocks(const Profiler& profiler);

}  // namespace muster::predict
