#include "rule/totals.hpp"

namespace muster {

void CheckTotals::add(const TestResult& result) {
  executions += result.executions + result.serial_executions;
  serial_executions += result.serial_executions;
  blocked += result.blocked;
  histories += result.histories;
  stuck_histories += result.stuck_histories;
  more_histories |= result.more_histories;
  classes += result.classes;
  loops_cut += result.loops_cut;
  retries_cut += result.retries_cut;
  cut += result.cut;
  held_back += result.held_back;
  steps += result.steps + result.serial_steps;
  all_schedules &= result.all_schedules;
  cpu_seconds += result.cpu_seconds;
}

}  // namespace muster
