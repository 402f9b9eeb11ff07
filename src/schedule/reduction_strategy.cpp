#include "schedule/reduction_strategy.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace muster {
namespace {

constexpr std::uint64_t bit(ThreadId thread) { return std::uint64_t{1} << thread; }

}  // namespace

// ---- one execution ----

bool ReductionStrategy::begin_execution(Schedule& schedule) {
  races_.clear();
  waiting_.clear();
  begun_ = 0;
  next_ = {};
  next_shortened_ = false;
  if (std::exchange(started_, true)) return backtrack(schedule);
  schedule.truncate(0);
  return true;
}

/// A state after the last transition: what slept there and commutes with that transition goes on sleeping.
ReductionStrategy::State& ReductionStrategy::new_state(std::uint64_t enabled, ThreadId first_option) {
  order_.close(races_);
  if (states_.size() == depth_) states_.emplace_back();
  State& state = states_[depth_++];
  state.enabled = enabled;
  state.first_option = first_option;
  state.decided = state.expanded = state.chooses = false;
  state.finished = 0;
  state.seen = {};
  state.sleep.clear();
  state.forest = {};
  state.shortened = config_.kept_of_a_sequence == 1 || std::exchange(next_shortened_, false);
  if (depth_ == 1) return state;
  const TransitionIndex last = depth_ - 2;
  state.shortened |= states_[last].shortened;
  for (const Sleeper& sleeper : states_[last].sleep) {
    if (sleeper.thread == order_.thread(last) || sleeper.footprint->everything) continue;
    if (!conflict(sleeper.footprint->accesses, order_.accesses(last))) state.sleep.push_back(sleeper);
  }
  return state;
}

bool ReductionStrategy::sleeps(const State& state, ThreadId thread) {
  return std::any_of(state.sleep.begin(), state.sleep.end(), [&](const Sleeper& s) { return s.thread == thread; });
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
  for (std::uint64_t mask = state.enabled; mask; mask &= mask - 1) {
    const auto thread = static_cast<ThreadId>(std::countr_zero(mask));
    if (thread != state.current && !sleeps(state, thread)) state.forest.insert(thread);
  }
}

/// The first thread that the forest asks for and that is not known from elsewhere; its branch becomes what comes next.
std::optional<ThreadId> ReductionStrategy::guided(State& state) {
  while (auto branch = state.forest.take_first()) {
    if (sleeps(state, branch->thread)) continue;
    if (!(state.enabled & bit(branch->thread))) {  // cannot be done: so nothing is known about what is needed
      expand(state);
      continue;
    }
    next_ = std::move(branch->next);
    next_shortened_ = branch->shortened;
    return branch->thread;
  }
  return std::nullopt;
}

std::optional<ThreadId> ReductionStrategy::choose(State& state, std::span<const Option> options) {
  state.forest = std::exchange(next_, {});
  state.current = no_thread;
  if (const auto thread = guided(state)) return thread;
  const auto awake =
      std::find_if(options.begin(), options.end(), [&](Option thread) { return !sleeps(state, thread); });
  return awake == options.end() ? std::nullopt : std::optional<ThreadId>(*awake);
}

std::uint8_t ReductionStrategy::decide(const Point& point) {
  if (point.kind != PointKind::thread) {
    states_[depth_ - 1].chooses = true;
    nodes_.push_back({depth_ - 1, true});
    return 0;
  }
  std::uint64_t enabled = 0;
  for (const Option option : point.options) enabled |= bit(option);
  State& state = new_state(enabled, point.options[0]);
  const auto chosen = too_many_preemptions() ? std::nullopt : choose(state, point.options);
  if (!chosen) {
    --depth_;
    ++asleep_;
    return abandon;
  }
  state.current = *chosen;
  state.decided = true;
  if (config_.every_thread || config_.preemptions != ReductionConfig::no_bound) expand(state);
  nodes_.push_back({depth_ - 1, false});
  return index_of(state, *chosen);
}

bool ReductionStrategy::begin_transition(ThreadId thread) {
  ++begun_;
  if (repeated_ > 0) {
    --repeated_;
    return true;
  }
  if (depth_ == order_.size()) {  // nobody else could step
    State& state = new_state(bit(thread), thread);
    if (too_many_preemptions() || sleeps(state, thread)) {
      --depth_;
      ++asleep_;
      return false;
    }
    choose(state, {&thread, 1});
    state.current = thread;
  }
  order_.begin(thread);
  return true;
}

void ReductionStrategy::accessed(const Access& access) {
  if (repeated_ == 0 && order_.size() == depth_) order_.add(access);
}

void ReductionStrategy::waits(ThreadId thread, const Access& access) {
  order_.close(races_);
  order_.waiting(thread, access, races_);
  waiting_.push_back({thread, access});
}

void ReductionStrategy::end_execution(const Schedule&, Ending ending) {
  order_.close(races_);
  for (const Race& race : races_) reverse(race);
  if (ending != Ending::incident || depth_ == 0) return;
  // What the others would have done is not known: each may come before the step that ended it all.
  State& last = states_[depth_ - 1];
  last.seen.everything = true;
  if (last.decided) expand(last);
}

// ---- from one execution to the next ----

/// What a transition would touch after the race was reversed. The later one of the race may then do something else.
Footprint ReductionStrategy::footprint_of(TransitionIndex transition, const Race& race) const {
  Footprint footprint;
  if (transition == order_.size()) {
    footprint.everything = true;
    return footprint;
  }
  footprint.add(order_.accesses(transition));
  if (transition != race.later) return footprint;
  footprint.everything =
      !std::all_of(footprint.accesses.begin(), footprint.accesses.end(), [](const Access& a) { return a.blind; });
  return footprint;
}

/// Whether something that sleeps could come first in the execution with the race reversed: then it was explored
/// already. A sleeper that is no part of the sequence says so only where sequences are kept whole.
bool ReductionStrategy::known_from_elsewhere(const State& state, const Race& race) const {
  const Footprint later = footprint_of(race.later, race);
  return std::any_of(state.sleep.begin(), state.sleep.end(), [&](const Sleeper& sleeper) {
    for (const TransitionIndex i : independent_) {
      if (order_.thread(i) == sleeper.thread) return true;
      if (sleeper.footprint->everything || conflict(sleeper.footprint->accesses, order_.accesses(i))) return false;
    }
    return race.thread == sleeper.thread || (!state.shortened && !conflict(*sleeper.footprint, later));
  });
}

/// Sees to it that the later transition of the race comes before the earlier one in some execution, with all that does
/// not depend on that.
void ReductionStrategy::reverse(const Race& race) {
  State& state = states_[race.earlier];
  if (!state.decided || state.expanded) return;
  independent_.clear();
  // Also what came after the later one and depends on neither: where the race is reversed, it may conflict with what
  // sleeps.
  for (TransitionIndex i = race.earlier + 1; i < order_.size(); ++i) {
    if (i != race.later && !order_.before(race.earlier, i)) independent_.push_back(i);
  }
  if (known_from_elsewhere(state, race)) return;
  const ThreadId first = independent_.empty() ? race.thread : order_.thread(independent_.front());
  if (!(state.enabled & bit(first))) return expand(state);
  std::vector<Step> sequence;
  for (const TransitionIndex i : independent_)
    sequence.push_back({order_.thread(i), footprint_of(i, race), states_[i].chooses});
  sequence.push_back({race.thread, footprint_of(race.later, race), false});
  state.forest.insert(std::move(sequence), config_.kept_of_a_sequence);
}

/// Goes on with another option of the deepest decision that has one.
bool ReductionStrategy::backtrack(Schedule& schedule) {
  while (!nodes_.empty()) {
    const std::size_t last = nodes_.size() - 1;
    const Node node = nodes_[last];
    State& state = states_[node.transition];
    Decision& decision = schedule[static_cast<std::uint32_t>(last)];
    order_.truncate(node.transition + 1);
    if (node.value) {
      if (decision.index + 1 < decision.count) {
        state.seen.add(order_.accesses(node.transition));
        ++decision.index;
        resume_at(node.transition, last + 1, schedule);
        return true;
      }
    } else if (next_thread(state, decision)) {
      resume_at(node.transition, last + 1, schedule);
      return true;
    }
    nodes_.pop_back();
  }
  schedule.truncate(0);
  return false;
}

bool ReductionStrategy::next_thread(State& state, Decision& decision) {
  const TransitionIndex transition = order_.size() - 1;
  state.seen.add(order_.accesses(transition));
  state.sleep.push_back({state.current, std::make_shared<const Footprint>(std::exchange(state.seen, {}))});
  state.chooses = false;
  ++state.finished;
  const auto thread = guided(state);
  if (!thread) return false;
  state.current = *thread;
  decision.index = index_of(state, *thread);
  return true;
}

void ReductionStrategy::resume_at(TransitionIndex transition, std::size_t nodes, Schedule& schedule) {
  order_.truncate(transition);
  depth_ = transition + 1;
  nodes_.resize(nodes);
  repeated_ = transition;
  schedule.truncate(static_cast<std::uint32_t>(nodes));
}

/// Knuth's estimate read off the current position.
double ReductionStrategy::share_done(const Schedule&) const {
  double done = 0, weight = 1;
  for (std::uint32_t i = 0; i < depth_; ++i) {
    const State& state = states_[i];
    if (!state.decided) continue;
    weight /= static_cast<double>(state.finished + 1 + state.forest.size());
    done += weight * state.finished;
  }
  return done;
}

}  // namespace muster
