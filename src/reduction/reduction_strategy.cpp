#include "reduction/reduction_strategy.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace muster {

// ---- one execution ----

bool ReductionStrategy::begin_execution(Schedule& schedule) {
  if (std::exchange(confirming_, false)) schedule.assign(searched_);
  begun_ = 0;
  if (std::exchange(started_, true)) {
    if (!doubts_.empty()) return settle_doubts(schedule);
    races_.clear();
    waiting_.clear();
    if (pool_) share_if_asked(schedule);
    return backtrack(schedule);
  }
  schedule.truncate(0);
  for (const PlacedDecision& placed : job_.path) schedule.push(placed.decision);
  return true;
}

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

/// A state after the last transition: what slept there and commutes with that transition goes on sleeping.
ReductionStrategy::State& ReductionStrategy::new_state(std::uint64_t enabled, ThreadId first_option) {
  order_.close(races_);
  if (states_.size() == depth_) states_.emplace_back();
  State& state = states_[depth_++];
  state.enabled = enabled;
  state.first_option = first_option;
  state.decided = state.expanded = false;
  state.finished = 0;
  state.seen.clear();
  state.sleep.clear();
  state.asleep = 0;
  std::move(state.explored.begin(), state.explored.end(), std::back_inserter(spare_));
  state.explored.clear();
  state.to_explore = state.fruitful = state.vain = 0;
  state.wanted.clear();
  state.node = no_node;
  if (depth_ == 1) return state;
  const TransitionIndex last = depth_ - 2;
  states_[last].fruitful |= bit(states_[last].current);
  if (states_[last].sleep.empty()) return state;
  const std::span<const Access> made = order_.accesses(last);
  for (const Sleeper& sleeper : states_[last].sleep) {
    if (sleeper.thread == order_.thread(last) || sleeper.footprint->everything) continue;
    if (!conflict(sleeper.footprint->accesses, made)) add_sleeper(state, sleeper);
  }
  return state;
}

/// What the thread does from here on is known: its first transition touches what `footprint` says, which is taken from
/// there.
void ReductionStrategy::let_sleep(State& state, ThreadId thread, Footprint& footprint) {
  if (spare_.empty()) spare_.push_back(std::make_unique<Footprint>());
  state.explored.push_back(std::move(spare_.back()));
  spare_.pop_back();
  std::swap(*state.explored.back(), footprint);
  footprint.clear();
  add_sleeper(state, {thread, state.explored.back().get()});
}

void ReductionStrategy::add_sleeper(State& state, const Sleeper& sleeper) {
  state.sleep.push_back(sleeper);
  state.asleep |= bit(sleeper.thread);
}

/// Options come with the running thread first and the others in the order of their numbers.
std::uint8_t ReductionStrategy::index_of(const State& state, ThreadId thread) {
  if (thread == state.first_option) return 0;
  return static_cast<std::uint8_t>(1 + std::popcount(state.enabled & ~bit(state.first_option) & (bit(thread) - 1)));
}

bool ReductionStrategy::too_many_preemptions() {
  if (order_.forced_preemptions() <= config_.preemptions) return false;
  cut_by_preemptions_ = true;
  return true;
}

/// Everything that can step here shall be tried.
void ReductionStrategy::expand(State& state) {
  state.expanded = true;
  state.to_explore = state.enabled & ~bit(state.current);
}

/// A thread that is wanted and not known from elsewhere.
std::optional<ThreadId> ReductionStrategy::next_to_explore(State& state) {
  state.to_explore &= ~state.asleep;
  if (state.to_explore == 0) return std::nullopt;
  const auto thread = static_cast<ThreadId>(std::countr_zero(state.to_explore));
  state.to_explore &= state.to_explore - 1;
  return thread;
}

std::uint8_t ReductionStrategy::decide(const Point& point) {
  if (confirming_) return confirmed_->decide(point);
  if (point.kind == PointKind::retry) {
    nodes_.push_back({depth_ - 1, point.kind});
    return gives_up_ ? 1 : 0;
  }
  if (point.kind != PointKind::thread) {
    nodes_.push_back({depth_ - 1, point.kind});
    return 0;
  }
  std::uint64_t enabled = 0;
  for (const Option option : point.options) enabled |= bit(option);
  State& state = new_state(enabled, point.options[0]);
  const auto chosen =
      std::find_if(point.options.begin(), point.options.end(), [&](Option thread) { return !sleeps(state, thread); });
  if (chosen == point.options.end() || too_many_preemptions()) {
    --depth_;
    ++asleep_;
    return abandon;
  }
  state.current = *chosen;
  state.decided = true;
  if (config_.every_thread || config_.preemptions != ReductionConfig::no_bound) expand(state);
  nodes_.push_back({depth_ - 1, point.kind});
  return index_of(state, *chosen);
}

bool ReductionStrategy::begin_transition(ThreadId thread) {
  ++begun_;
  if (confirming_) return confirmed_->begin_transition(thread);
  if (repeated_ > 0) {
    --repeated_;
    return true;
  }
  if (repeating_path_) {
    repeat_transition(thread);
  } else if (depth_ == order_.size()) {  // nobody else could step
    State& state = new_state(bit(thread), thread);
    if (too_many_preemptions() || sleeps(state, thread)) {
      --depth_;
      ++asleep_;
      return false;
    }
    state.current = thread;
  }
  order_.begin(thread);
  return true;
}

/// All that others did happened before what the thread did last: nothing that it does later races with any of it. What
/// it holds is told to the end: others seem to wait for it otherwise.
bool ReductionStrategy::has_seen_enough(ThreadId thread) {
  if (confirming_ || repeating_path_ || begun_ != order_.size()) return false;
  order_.close(races_);
  return order_.forced_preemptions() <= config_.preemptions && order_.knows_all(thread) &&
         !order_.holds_something(thread);
}

void ReductionStrategy::goes_on_after(std::uint32_t transitions) {
  begun_ = transitions;
  if (confirming_)
    confirmed_->begin_after(transitions);
  else
    repeated_ -= transitions;
}

void ReductionStrategy::accessed(const Access& access) {
  if (!confirming_ && repeated_ == 0 && order_.size() == depth_) order_.add(access);
}

void ReductionStrategy::arrives(const Arrival& arrival, StateHash state) {
  gives_up_ = false;
  if (!config_.cut_retries) return;
  // Looking at a thread's state takes long, and at most places nobody ever comes after a failed attempt.
  if (arrival.earlier != 0)
    retried_at_.insert(arrival.site);
  else if (!confirming_ && !retried_at_.contains(arrival.site))
    return;
  const std::uint64_t here = retries_.remember(arrival, state);
  if (confirming_ || arrival.earlier == 0) return;
  const RetryTable::Claim claim = RetryTable::claim(arrival, here);
  const RetryTable::Answer answer = retries_.holds(claim);
  gives_up_ = answer != RetryTable::Answer::no;
  if (answer == RetryTable::Answer::unknown)
    doubts_.push_back({claim, static_cast<std::uint32_t>(nodes_.size()), WithoutRetry(order_, arrival)});
}

/// What threads do from here on they may do from there, and that is explored. But they might have left the circle at
/// any of its states, and nothing that comes after it shows a race with its steps: everything is tried at each of them.
void ReductionStrategy::comes_round(std::uint32_t transitions) {
  gives_up_ = !confirming_ && config_.cut_retries;
  if (!gives_up_) return;
  for (std::uint32_t i = transitions; i < depth_; ++i) {
    State& state = states_[i];
    if (state.node != no_node)
      pool_->want_all(state.node);
    else if (state.decided && !state.expanded)
      expand(state);
  }
}

void ReductionStrategy::waits(ThreadId thread, const Access& access) {
  if (confirming_) return;
  order_.close(races_);
  order_.waiting(thread, access, races_);
  waiting_.push_back({thread, access});
}

void ReductionStrategy::end_execution(const Schedule& schedule, Ending ending) {
  if (confirming_) return;
  order_.close(races_);
  in_vain_ = ends_in_vain(schedule);
  for (const Race& race : races_) reverse(race);
  if (depth_ > 0) {
    State& last = states_[depth_ - 1];
    if (!in_vain_)
      last.fruitful |= bit(last.current);
    else if (last.node != no_node)
      pool_->want_all(last.node);
  }
  for (Doubt& doubt : doubts_) {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].kind != PointKind::thread && nodes_[i].kind != PointKind::retry)
        doubt.without.told(nodes_[i].transition, schedule[i].index);
    }
  }
  if (ending == Ending::incident && depth_ > 0) {
    // What the others would have done is not known: each may come before the step that ended it all.
    State& last = states_[depth_ - 1];
    last.seen.everything = true;
    if (last.node != no_node)
      pool_->want_all(last.node);
    else if (last.decided)
      expand(last);
  }
  if (owed_ && doubts_.empty() && !has_untried_values(owed_->transition, schedule)) tell_part();
}

bool ReductionStrategy::ends_in_vain(const Schedule& schedule) const {
  return !nodes_.empty() && nodes_.back().kind == PointKind::retry && nodes_.back().transition + 1 == depth_ &&
         schedule[static_cast<std::uint32_t>(nodes_.size() - 1)].index == 1;
}

// ---- from one execution to the next ----

/// The threads with which some execution may begin that, after the earlier transition's state, makes all that came in
/// between and does not depend on it, and then the later one: the later one comes first now. If that was in vain, what
/// did not happen before it is nothing that it must come after.
std::uint64_t ReductionStrategy::initials(const Race& race) const {
  std::uint64_t initials = 0, seen = 0;
  const auto first_in_its_thread = [&](TransitionIndex transition, ThreadId thread) {
    if (std::exchange(seen, seen | bit(thread)) & bit(thread)) return;
    // What others did in between to a thing that a thread waits for in the end, they did because of the earlier one.
    if (transition < order_.size()) {
      for (TransitionIndex i = race.earlier + 1; i < transition; ++i) {
        if (!order_.before(race.earlier, i) && order_.before(i, transition)) return;
      }
    }
    initials |= bit(thread);
  };
  const bool all = !in_vain_ || race.later + 1 != order_.size();
  for (TransitionIndex i = race.earlier + 1; i < race.later; ++i) {
    if (!order_.before(race.earlier, i) && (all || order_.before(i, race.later)))
      first_in_its_thread(i, order_.thread(i));
  }
  first_in_its_thread(race.later, race.thread);
  return initials;
}

/// Sees to it that the later transition of the race comes before the earlier one in some execution.
void ReductionStrategy::reverse(const Race& race) {
  State& state = states_[race.earlier];
  if (!state.decided || state.expanded) return;
  if (state.node != no_node) return pool_->want(state.node, initials(race));
  const std::uint64_t wanted = initials(race);
  if (wanted & (state.fruitful | (state.asleep & ~state.vain))) return;
  if (std::find(state.wanted.begin(), state.wanted.end(), wanted) != state.wanted.end()) return;
  state.wanted.push_back(wanted);
  want(state, wanted);
}

/// One of these threads shall be explored, and not in vain.
void ReductionStrategy::want(State& state, std::uint64_t threads) {
  if (threads & (state.to_explore | state.fruitful)) return;
  const std::uint64_t possible = threads & state.enabled;
  if (possible == 0) return expand(state);
  if (const std::uint64_t left = possible & ~state.vain) state.to_explore |= left & -left;
}

/// The thread that was explored here last only found that it had tried in vain. That shows nothing of what the others
/// do: it is for one of them to be explored instead.
void ReductionStrategy::look_further(State& state) {
  state.vain |= bit(state.current);
  if (state.expanded) return;
  for (const std::uint64_t threads : state.wanted) want(state, threads);
  if (state.fruitful != 0 || (state.to_explore & ~state.asleep) != 0) return;
  const std::uint64_t left = state.enabled & ~state.asleep & ~state.vain;
  state.to_explore |= left & -left;
}

/// Goes on with another option of the deepest decision that has one.
bool ReductionStrategy::backtrack(Schedule& schedule) {
  if (pool_) sizes_.executed(nodes_.size());
  for (; nodes_.size() > shared_nodes_; nodes_.pop_back()) {
    const std::size_t last = nodes_.size() - 1;
    if (pool_) sizes_.ended(last);
    if (!take_next_option(nodes_[last], schedule[static_cast<std::uint32_t>(last)])) continue;
    resume_at(nodes_[last].transition, last + 1, schedule);
    return true;
  }
  tell_part();
  schedule.truncate(0);
  return false;
}

bool ReductionStrategy::take_next_option(const Node& node, Decision& decision) {
  if (node.kind == PointKind::thread) return next_thread(node.transition, decision);
  if (node.kind == PointKind::retry || decision.index + 1 >= decision.count) return false;
  states_[node.transition].seen.add(order_.accesses(node.transition));
  ++decision.index;
  return true;
}

/// What the thread did that was tried so far is remembered only where another one is to be tried.
bool ReductionStrategy::next_thread(TransitionIndex transition, Decision& decision) {
  State& state = states_[transition];
  if (in_vain_so_far(state)) look_further(state);
  const auto thread = next_to_explore(state);
  if (!thread) return false;
  state.seen.add(order_.accesses(transition));
  let_sleep(state, state.current, state.seen);
  ++state.finished;
  state.current = *thread;
  decision.index = index_of(state, *thread);
  return true;
}

void ReductionStrategy::resume_at(TransitionIndex transition, std::size_t nodes, Schedule& schedule) {
  order_.truncate(transition);
  depth_ = transition + 1;
  nodes_.resize(nodes);
  sizes_.resume(nodes);
  repeated_ = transition;
  kept_ = std::min(static_cast<std::uint32_t>(nodes - 1), std::exchange(in_common_, ~0u));
  schedule.truncate(static_cast<std::uint32_t>(nodes));
}

/// Knuth's estimate read off the current position.
double ReductionStrategy::share_done(const Schedule&) const {
  double done = 0, weight = 1;
  for (std::uint32_t i = 0; i < depth_; ++i) {
    const State& state = states_[i];
    if (!state.decided) continue;
    weight /= static_cast<double>(state.finished + 1 + static_cast<unsigned>(std::popcount(state.to_explore)));
    done += weight * state.finished;
  }
  return done;
}

}  // namespace muster
