#include "schedule/plan_strategy.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace muster {
namespace {

// Behind the end of its plan an execution goes on by itself; a thread that waits there for another must not run for
// ever.
constexpr unsigned patience = 200;

}  // namespace

PlanStrategy::PlanStrategy(const Plan& plan) {
  const auto add = [this](const std::string& name) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end()) return static_cast<std::uint32_t>(found - names_.begin());
    names_.push_back(name);
    return static_cast<std::uint32_t>(names_.size() - 1);
  };
  // Whoever makes threads and was made by none is the one that runs the program's body.
  const auto is_child = [&](const std::string& name) {
    return std::any_of(plan.forks.begin(), plan.forks.end(), [&](const PlanFork& fork) { return fork.child == name; });
  };
  for (const PlanFork& fork : plan.forks) {
    if (!is_child(fork.parent)) add(fork.parent);
  }
  for (const PlanTurn& turn : plan.turns) {
    if (names_.empty()) add(turn.thread);
    if (!is_child(turn.thread) && turn.thread != names_[0])
      fail("the plan gives turns to {}, which no thread of it makes", turn.thread);
    turns_.push_back({add(turn.thread), turn.events});
  }
  for (const PlanFork& fork : plan.forks) forks_.push_back({add(fork.child), add(fork.parent), fork.event});
}

bool PlanStrategy::begin_execution(Schedule& schedule) {
  if (std::exchange(done_, true)) return false;
  schedule.truncate(0);
  turn_ = 0;
  model_.assign(names_.size(), unknown);
  if (!model_.empty()) model_[0] = 0;
  counts_.fill(0);
  obstructed_ = false;
  last_running_ = no_thread;
  run_length_ = 0;
  return true;
}

void PlanStrategy::forked(ThreadId parent, ThreadId child) {
  const auto from = planned(parent);
  for (const Fork& fork : forks_) {
    if (from == fork.parent && fork.event == counts_[parent]) model_[fork.child] = child;
  }
}

std::optional<std::uint32_t> PlanStrategy::planned(ThreadId thread) const {
  const auto found = std::find(model_.begin(), model_.end(), thread);
  return found == model_.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(found - model_.begin()));
}

std::uint32_t PlanStrategy::number_of(const std::string& name) const {
  return static_cast<std::uint32_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
}

void PlanStrategy::skip_finished_turns() {
  while (turn_ < turns_.size()) {
    const ThreadId thread = model_[turns_[turn_].thread];
    if (thread == unknown || counts_[thread] < turns_[turn_].events) return;
    ++turn_;
  }
}

bool PlanStrategy::stands_at_end_of_turn(ThreadId thread) {
  skip_finished_turns();
  if (turn_ == 0 || turn_ == turns_.size()) return false;
  const Turn& last = turns_[turn_ - 1];
  return model_[last.thread] == thread && counts_[thread] == last.events && turns_[turn_].thread != last.thread;
}

std::uint8_t PlanStrategy::decide(const Point& point) {
  if (point.kind != PointKind::thread) return 0;
  skip_finished_turns();
  if (turn_ == turns_.size()) return go_on_fairly(point);
  const auto option_of = [&](ThreadId thread) { return std::find(point.options.begin(), point.options.end(), thread); };
  const auto wanted = option_of(model_[turns_[turn_].thread]);
  if (wanted != point.options.end()) return static_cast<std::uint8_t>(wanted - point.options.begin());
  // The last one may have to take one more step to get out of the way, such as the release that its last event is
  // about.
  const auto previous = turn_ > 0 ? option_of(model_[turns_[turn_ - 1].thread]) : point.options.end();
  if (previous != point.options.end() && counts_[*previous] <= turns_[turn_ - 1].events)
    return static_cast<std::uint8_t>(previous - point.options.begin());
  obstructed_ = true;
  return go_on_fairly(point);
}

std::uint8_t PlanStrategy::go_on_fairly(const Point& point) {
  run_length_ = point.running == last_running_ ? run_length_ + 1 : 0;
  last_running_ = point.running;
  if (run_length_ < patience) return 0;
  run_length_ = 0;
  return static_cast<std::uint8_t>(1 + point.running % (point.options.size() - 1));
}

}  // namespace muster
