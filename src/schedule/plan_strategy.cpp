#include "schedule/plan_strategy.hpp"

#include <algorithm>
#include <utility>

namespace muster {
namespace {

// Behind the end of its plan an execution goes on by itself; a thread that waits there for another must not run for
// ever.
constexpr unsigned long_enough = 200;

// Threads that wait for each other's locks do so long before; others may go on for ever.
constexpr unsigned most_past_end = 20'000;

}  // namespace

PlanStrategy::PlanStrategy(const Plan& plan) : threads_(plan), ends_stuck_(!plan.waits.empty()) {
  for (const PlanTurn& turn : plan.turns) turns_.push_back({threads_.number_of(turn.thread), turn.events});
}

bool PlanStrategy::begin_execution(Schedule& schedule) {
  if (std::exchange(done_, true)) return false;
  schedule.truncate(0);
  turn_ = 0;
  threads_.begin_execution();
  counts_.fill(0);
  last_running_ = no_thread;
  run_length_ = past_end_ = 0;
  return true;
}

void PlanStrategy::skip_finished_turns() {
  while (turn_ < turns_.size()) {
    const ThreadId thread = threads_.model(turns_[turn_].thread);
    if (thread == no_thread || counts_[thread] < turns_[turn_].events) return;
    ++turn_;
  }
}

bool PlanStrategy::stands_at_end_of_turn(ThreadId thread) {
  skip_finished_turns();
  if (turn_ == 0 || turn_ == turns_.size()) return false;
  const Turn& last = turns_[turn_ - 1];
  return threads_.model(last.thread) == thread && counts_[thread] == last.events && turns_[turn_].thread != last.thread;
}

std::uint8_t PlanStrategy::decide(const Point& point) {
  if (point.kind != PointKind::thread) return 0;
  skip_finished_turns();
  if (turn_ == turns_.size()) return ends_stuck_ && ++past_end_ > most_past_end ? abandon : go_on_fairly(point);
  const auto option_of = [&](ThreadId thread) { return std::find(point.options.begin(), point.options.end(), thread); };
  const auto wanted = option_of(threads_.model(turns_[turn_].thread));
  if (wanted != point.options.end()) return static_cast<std::uint8_t>(wanted - point.options.begin());
  // The last one may have to take one more step to get out of the way, such as the release that its last event is
  // about.
  const auto previous = turn_ > 0 ? option_of(threads_.model(turns_[turn_ - 1].thread)) : point.options.end();
  if (previous != point.options.end() && counts_[*previous] <= turns_[turn_ - 1].events)
    return static_cast<std::uint8_t>(previous - point.options.begin());
  return go_on_fairly(point);
}

std::uint8_t PlanStrategy::go_on_fairly(const Point& point) {
  run_length_ = point.running == last_running_ ? run_length_ + 1 : 0;
  last_running_ = point.running;
  if (run_length_ < long_enough) return 0;
  run_length_ = 0;
  return static_cast<std::uint8_t>(1 + point.running % (point.options.size() - 1));
}

}  // namespace muster
