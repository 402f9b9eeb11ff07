#pragma once
// What the searches of many tests come to.

#include "rule/result.hpp"

namespace muster {

/// Of both phases.
struct CheckTotals : Tally {
  bool all_schedules = true;

  void add(const TestResult& result);
};

}  // namespace muster
