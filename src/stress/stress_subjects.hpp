#pragma once
// Scenarios and checks on real threads, one after the other.

#include <string>
#include <vector>

#include "base/error.hpp"
#include "stress/stress_result.hpp"

namespace muster {

struct StressPlanOfAll {
  std::vector<Subject> subjects;
  TestChoice tests;
  std::uint64_t scenario_runs = 1000;
  StressCheckOptions options;  // its deadline is the one of all together
};

/// Whoever wants to know what they show.
struct StressListener {
  std::function<void(const Subject&, const StressProgress&)> progress;
  std::function<void(Result)> tell;
  /// Something is wrong with one: that must not lose what others show.
  std::function<void(const Subject&, const Error&)> complain;
};

void stress_all(const StressPlanOfAll& plan, const StressListener& listener);

}  // namespace muster
