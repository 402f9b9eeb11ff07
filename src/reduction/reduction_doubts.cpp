// A reduced search where threads were given up although nobody knows yet whether their failed attempts left nothing
// behind: executions without these attempts show it.

#include <algorithm>

#include "reduction/reduction_strategy.hpp"

namespace muster {

/// Looks whether the threads given up in the last execution are where they would be without their failed attempts, by
/// executions of exactly that. Where one is not, it goes on after all.
bool ReductionStrategy::settle_doubts(Schedule& schedule) {
  std::uint32_t wrong = static_cast<std::uint32_t>(nodes_.size());
  for (Doubt& doubt : doubts_) {
    const RetryTable::Answer answer = retries_.holds(doubt.claim);
    if (answer == RetryTable::Answer::unknown && doubt.without.possible() && !doubt.looked_at) {
      look_without_retry(doubt, schedule);
      return true;
    }
    if (answer != RetryTable::Answer::yes) wrong = std::min(wrong, doubt.node);
  }
  doubts_.clear();
  races_.clear();
  waiting_.clear();
  if (wrong == nodes_.size()) return backtrack(schedule);
  schedule[wrong].index = 0;
  order_.truncate(nodes_[wrong].transition + 1);
  states_[nodes_[wrong].transition].seen.add(order_.accesses(nodes_[wrong].transition));
  resume_at(nodes_[wrong].transition, wrong + 1, schedule);
  return true;
}

/// The next execution is the last one without a failed attempt: until that begins, they are the same. Under symmetry
/// they are not, as threads step in another order then.
void ReductionStrategy::look_without_retry(Doubt& doubt, Schedule& schedule) {
  doubt.looked_at = confirming_ = true;
  confirmed_ = &doubt.without;
  confirmed_->begin_after(0);
  searched_.assign(schedule.decisions().begin(), schedule.decisions().end());
  const TransitionIndex same = config_.symmetry == Symmetry::none ? confirmed_->in_common() : 0;
  const auto first_other =
      std::ranges::partition_point(nodes_, [&](const Node& node) { return node.transition < same; });
  const auto decisions = static_cast<std::uint32_t>(first_other - nodes_.begin());
  schedule.truncate(decisions);
  in_common_ = std::min(in_common_, decisions);
  kept_ = in_common_ - std::min(in_common_, 1u);  // where it goes back to it repeats a decision, at least
}

}  // namespace muster
