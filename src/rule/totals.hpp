#pragma once
// What the searches of many tests come to.

#include "rule/result.hpp"

namespace muster {

struct CheckTotals {
  std::uint64_t executions = 0;  // of both phases
  std::uint64_t serial_executions = 0;
  std::uint64_t blocked = 0;  // given up, since others show the same
  std::uint64_t histories = 0, stuck_histories = 0, classes = 0;
  std::uint64_t loops_cut = 0, retries_cut = 0;
  std::uint64_t cut = 0, held_back = 0, steps = 0;
  bool more_histories = false;  // than were counted
  bool all_schedules = true;
  double cpu_seconds = 0;

  void add(const TestResult& result);
};

/// Which member each word stands for: written and read by the same list.
template <class Totals, class Visit>
void each_number(Totals& totals, const Visit& visit) {
  visit("executions", totals.executions);
  visit("serial_executions", totals.serial_executions);
  visit("blocked", totals.blocked);
  visit("histories", totals.histories);
  visit("stuck_histories", totals.stuck_histories);
  visit("more_histories", totals.more_histories);
  visit("classes", totals.classes);
  visit("loops_cut", totals.loops_cut);
  visit("retries_cut", totals.retries_cut);
  visit("cut", totals.cut);
  visit("held_back", totals.held_back);
  visit("steps", totals.steps);
  visit("all_schedules", totals.all_schedules);
}

}  // namespace muster
