#pragma once
// Deadlocks another order would show: threads that each hold a lock the next one takes (lock-order cycles, without
// those that a common outer lock or an unchangeable order rules out). A clash of two acquisition histories is the case
// of two.

#include <vector>

#include "predict/profile.hpp"

namespace muster::predict {

struct DeadlockPrediction {
  std::vector<Dependency> cycle;  // each holds a lock that the one before it takes
  std::uint64_t count = 1;        // cycles through the same source locations
};

struct Deadlocks {
  bool lock_order_has_cycle = false;  // whether the run might deadlock at all
  std::vector<DeadlockPrediction> predictions;
  bool complete = true;  // whether the search ended before its limit
};

Deadlocks find_deadlocks(const Profiler& profiler);

}  // namespace muster::predict
