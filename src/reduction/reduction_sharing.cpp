// A reduced search as one of several: what it takes over from others, and what it gives away.

#include <algorithm>
#include <limits>
#include <utility>

#include "reduction/reduction_strategy.hpp"

namespace muster {

void ReductionStrategy::begin_job(BranchJob job) {
  job_ = std::move(job);
  started_ = false;
  depth_ = repeated_ = kept_ = 0;
  in_common_ = ~0u;
  order_.truncate(0);
  races_.clear();  // a job that was given up leaves some
  waiting_.clear();
  nodes_.clear();
  sizes_.resume(0);
  looks_away_ = 0;
  for (const PlacedDecision& placed : job_.path) nodes_.push_back({placed.transition, placed.decision.kind});
  shared_nodes_ = nodes_.size();
  repeating_path_ = !job_.path.empty();
  last_shared_ = job_.node;
  last_branch_ = job_.branch;
  owed_.reset();
  if (job_.first_of != no_node) owed_ = Owed{job_.first_of, job_.first_branch, job_.path.back().transition};
}

/// On the path to a job: makes the state as whoever gave the job away knows it.
void ReductionStrategy::repeat_transition(ThreadId thread) {
  const TransitionIndex transition = order_.size();
  const auto step = std::find_if(job_.steps.begin(), job_.steps.end(),
                                 [&](const BranchJob::Step& s) { return s.transition == transition; });
  if (step == job_.steps.end()) {
    new_state(bit(thread), thread).current = thread;
  } else {
    State& state = new_state(step->enabled, step->first_option);
    state.current = thread;
    state.decided = true;
    state.node = step->node;
    state.finished = static_cast<unsigned>(step->before.size());
    for (const StartedBranch& branch : step->before) {
      Footprint footprint = branch.footprint;
      let_sleep(state, branch.thread, footprint);
    }
  }
  repeating_path_ = transition != job_.path.back().transition;
}

/// What the transition under way at a state touches, with all values chosen in it so far.
Footprint ReductionStrategy::first_transition(TransitionIndex transition) const {
  Footprint footprint = states_[transition].seen;
  footprint.add(order_.accesses(transition));
  return footprint;
}

bool ReductionStrategy::has_untried_values(TransitionIndex transition, const Schedule& schedule) const {
  for (std::size_t i = shared_nodes_; i < nodes_.size() && nodes_[i].transition <= transition; ++i) {
    const Decision& decision = schedule[static_cast<std::uint32_t>(i)];
    const bool value = nodes_[i].kind != PointKind::thread && nodes_[i].kind != PointKind::retry;
    if (value && nodes_[i].transition == transition && decision.index + 1 < decision.count) return true;
  }
  return false;
}

void ReductionStrategy::tell_part() {
  if (!owed_) return;
  pool_->tell_part(owed_->node, owed_->branch, first_transition(owed_->transition));
  owed_.reset();
}

/// Whether a decision has options that shall be explored and are not begun.
bool ReductionStrategy::is_open(std::size_t number, const Schedule& schedule) const {
  const Node& node = nodes_[number];
  const Decision& decision = schedule[static_cast<std::uint32_t>(number)];
  if (node.kind == PointKind::retry) return false;
  if (node.kind != PointKind::thread) return decision.index + 1 < decision.count;
  const State& state = states_[node.transition];
  return (state.to_explore & ~state.asleep) != 0 || in_vain_so_far(state);
}

/// Gives away the shallowest decision that has something left, if that is enough: it and all above become everybody's.
void ReductionStrategy::share_if_asked(const Schedule& schedule) {
  constexpr unsigned executions_to_look_away = 16;
  if (looks_away_ > 0) {
    --looks_away_;
    return;
  }
  const double least = pool_->least_piece();
  if (least == std::numeric_limits<double>::infinity()) return;
  std::size_t last = shared_nodes_;
  while (last < nodes_.size() && !is_open(last, schedule)) ++last;
  if (last == nodes_.size() || sizes_.expected(last) < least || !share_up_to(last, schedule))
    looks_away_ = executions_to_look_away;
}

void ReductionStrategy::end_job() {
  if (pool_) pool_->release(last_shared_);
  last_shared_ = no_node;
}

bool ReductionStrategy::give_up_job(const Schedule& schedule) {
  std::size_t end = nodes_.size();
  while (end > shared_nodes_ && !is_open(end - 1, schedule)) --end;
  const bool all = end == shared_nodes_ || share_up_to(end - 1, schedule);
  tell_part();
  return all;
}

bool ReductionStrategy::share_up_to(std::size_t last, const Schedule& schedule) {
  while (shared_nodes_ <= last && share_node(shared_nodes_, schedule)) {
  }
  return shared_nodes_ > last;
}

/// False if there is no room for it.
bool ReductionStrategy::share_node(std::size_t number, const Schedule& schedule) {
  const Node& node = nodes_[number];
  const Decision& decision = schedule[static_cast<std::uint32_t>(number)];
  NewBranchNode shared;
  shared.parent = last_shared_;
  shared.parent_branch = last_branch_;
  constexpr double most_expected = 1e9;  // where nothing is known yet
  shared.executions = std::min(sizes_.expected(number), most_expected);
  for (std::size_t i = 0; i <= number; ++i) {
    shared.path.push_back({schedule[static_cast<std::uint32_t>(i)], nodes_[i].transition});
    shared.path.back().decision.fingerprint = 0;  // of points as another process sees them
  }
  shared_nodes_ = number + 1;
  const bool room = node.kind == PointKind::thread  ? share_threads(shared, node.transition, schedule)
                    : node.kind == PointKind::retry ? true
                                                    : share_values(shared, node.transition, decision);
  if (!room) shared_nodes_ = number;
  return room;
}

bool ReductionStrategy::share_threads(NewBranchNode& shared, TransitionIndex transition, const Schedule& schedule) {
  tell_part();  // of a transition before: its values are all tried, or shared
  State& state = states_[transition];
  if (in_vain_so_far(state)) expand(state);  // who else is to step is not known
  shared.first_option = state.first_option;
  shared.expanded = state.expanded;
  shared.enabled = state.enabled;
  shared.to_explore = state.to_explore;
  shared.part_is_missing = has_untried_values(transition, schedule);
  const std::size_t inherited = state.sleep.size() - state.finished;
  for (std::size_t i = 0; i < inherited; ++i) shared.asleep |= bit(state.sleep[i].thread);
  for (std::size_t i = inherited; i < state.sleep.size(); ++i)
    shared.started.push_back({state.sleep[i].thread, *state.sleep[i].footprint});
  shared.started.push_back({state.current, first_transition(transition)});
  const auto added = pool_->add(shared);
  if (!added) return false;
  state.node = last_shared_ = *added;
  last_branch_ = state.finished;
  state.to_explore = 0;
  if (shared.part_is_missing) owed_ = Owed{*added, state.finished, transition};
  return true;
}

bool ReductionStrategy::share_values(NewBranchNode& shared, TransitionIndex transition, const Decision& decision) {
  for (unsigned value = decision.index + 1u; value < decision.count; ++value) shared.to_explore |= bit(value);
  if (shared.to_explore == 0) return true;
  const State& state = states_[transition];
  const auto added = pool_->add(shared);
  if (!added) return false;
  // Nobody takes the branch for known before: its other part is this search's own.
  if (state.node != no_node) pool_->expect_parts(state.node, state.finished, decision.count - decision.index - 1u);
  last_shared_ = *added;
  last_branch_ = decision.index;
  return true;
}

}  // namespace muster
