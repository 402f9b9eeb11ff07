#include "rule/totals.hpp"

namespace muster {

void CheckTotals::add(const TestResult& result) {
  Tally::add(result);
  executions += result.serial_executions;
  steps += result.serial_steps;
  all_schedules &= result.all_schedules;
}

}  // namespace muster
