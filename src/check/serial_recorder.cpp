#include "check/serial_recorder.hpp"

#include <bit>

#include "rule/history_judge.hpp"

namespace muster {

bool SerialRecorder::end_execution(const Execution& execution, const Schedule& schedule, Engine& engine) {
  keep_races(schedule);
  for (Failure& race : races) race.serial = true;
  if (ended_otherwise(execution, schedule)) {
    if (failure) failure->serial = true;
    return !failure && undecided.empty();
  }
  const std::optional<SerialHistory> other = observed_.add(to_serial(execution));
  if (!other) return true;
  const SerialHistory serial = to_serial(execution);
  const bool own_threads =
      engine.thread_count() >
      1 + test_.columns.size() + static_cast<std::size_t>(std::popcount(asynchronous_operations(check_, test_)));
  const FindingKind kind = unlucky_      ? FindingKind::unlucky
                           : own_threads ? FindingKind::own_threads
                                         : FindingKind::nondeterministic;
  failure = fail_with(objection_to(kind, check_, test_, responses_, serial, *other), history_, schedule.decisions());
  failure->serial = true;
  return false;
}

SerialHistory SerialRecorder::to_serial(const Execution& execution) const {
  SerialHistory serial;
  serial.order.reserve(test_.size());
  serial.response.assign(test_.size(), absent);
  for (unsigned i = 0; i < history_.mark_count; ++i) {
    const unsigned operation = history_.marks[i].operation;
    if (!history_.marks[i].is_return) {
      serial.order.push_back(static_cast<std::uint8_t>(operation));
      serial.response[operation] = pending;
    } else {
      serial.response[operation] = history_.response[operation];
    }
  }
  names_.put_names(history_, serial.response);
  serial.excused = history_.excused;
  serial.stuck = execution.ending == Ending::stuck;
  return serial;
}

}  // namespace muster
