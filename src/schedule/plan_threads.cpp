#include "schedule/plan_threads.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace muster {

std::uint32_t PlanThreads::add(const std::string& name) {
  const std::uint32_t number = number_of(name);
  if (number == names_.size()) names_.push_back(name);
  return number;
}

PlanThreads::PlanThreads(const Plan& plan) {
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
    add(turn.thread);
  }
  for (const PlanFork& fork : plan.forks)
    forks_.push_back({add(fork.child), add(fork.parent), fork.event, fork.location});
  begin_execution();
}

void PlanThreads::begin_execution() {
  model_.assign(names_.size(), no_thread);
  if (!model_.empty()) model_[0] = 0;
}

template <class Matches>
bool PlanThreads::take_first(ThreadId child, Matches matches) {
  for (const Fork& fork : forks_) {
    if (model_[fork.child] != no_thread || !matches(fork)) continue;
    model_[fork.child] = child;
    return true;
  }
  return false;
}

void PlanThreads::forked(ThreadId parent, std::uint64_t event, ThreadId child) {
  const auto from = planned(parent);
  take_first(child, [&](const Fork& fork) { return from == fork.parent && fork.event == event; });
}

void PlanThreads::forked_at(ThreadId parent, const std::string& location, ThreadId child) {
  const auto from = planned(parent);
  const auto by_same = [&](const Fork& fork) { return from == fork.parent && fork.location == location; };
  const auto by_any = [&](const Fork& fork) { return fork.location == location; };
  take_first(child, by_same) || take_first(child, by_any);
}

std::optional<std::uint32_t> PlanThreads::planned(ThreadId thread) const {
  const auto found = std::find(model_.begin(), model_.end(), thread);
  return found == model_.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(found - model_.begin()));
}

std::uint32_t PlanThreads::number_of(const std::string& name) const {
  return static_cast<std::uint32_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
}

}  // namespace muster
