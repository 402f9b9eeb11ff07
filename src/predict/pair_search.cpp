#include "predict/pair_search.hpp"

#include <algorithm>

namespace muster::predict {

using trace::Kind;

std::uint32_t PairSearch::free_position_before(std::uint32_t thread, std::uint32_t position) const {
  const auto events = index_.events(thread);
  while (position > 0 && events[position - 1].held != 0) --position;
  return position;
}

std::uint32_t PairSearch::free_position_after(std::uint32_t thread, std::uint32_t position) const {
  const auto events = index_.events(thread);
  while (position < events.size() && position > 0 && events[position - 1].held != 0) ++position;
  return position;
}

/// How far `of` has to be before `thread` can stand behind its first `position` synchronisation events.
std::uint32_t PairSearch::needed(std::uint32_t thread, std::uint32_t position, std::uint32_t of) const {
  const std::uint32_t event_index = position == 0 ? 0 : index_.events(thread)[position - 1].index + 1;
  const std::uint32_t segments = segments_.completed_before(thread, segments_.segment_at(thread, event_index), of);
  if (segments == 0) return 0;
  const std::uint32_t boundary = segments_.first_index(of, segments);
  if (boundary == Segments::past_the_end) return static_cast<std::uint32_t>(index_.events(of).size());
  return index_.position(of, boundary);
}

/// Moves the starts back, from one lock-free place to another, until neither needs the other to be further; what a
/// thread needs before its very first event stays a need.
void PairSearch::settle_starts(Window& a, Window& b) const {
  while (true) {
    const std::uint32_t a_needs = needed(a.thread, a.start, b.thread), b_needs = needed(b.thread, b.start, a.thread);
    Window* late = nullptr;
    if (a_needs > b.start && a.start > 0) late = &a;
    if (b_needs > a.start && b.start > 0) late = &b;
    if (!late) {
      a.start_need = a_needs;
      b.start_need = b_needs;
      return;
    }
    late->start = free_position_before(late->thread, late->start - 1);
  }
}

void PairSearch::fill(Window& window, std::uint32_t other) {
  const auto events = index_.events(window.thread);
  std::vector<std::pair<Held, std::uint32_t>> held;  // with counts
  window.locks = {no_locks};
  window.need.clear();
  for (std::uint32_t at = window.start; at < window.stop; ++at) {
    const SyncEvent& event = events[at];
    if (is_lock_event(event.kind)) {
      const Held lock{event.object & 0x7fffffff, !is_shared(event.kind)};
      const auto known = std::ranges::find(held, lock, [](const auto& each) { return each.first; });
      if (is_acquire(event.kind)) {
        known == held.end() ? held.emplace_back(lock, 1) : (++known->second, *known);
      } else if (known != held.end() && --known->second == 0) {
        held.erase(known);
      }
      window.need.push_back(0);
    } else {
      window.need.push_back(needed(window.thread, at + 1, other));
    }
    LocksetId set = no_locks;
    for (const auto& [lock, count] : held) set = locksets_.with(set, lock);
    window.locks.push_back(set);
  }
}

PairSchedule PairSearch::search(const Prediction& prediction) {
  PairSchedule result;
  const std::uint32_t mine_id = prediction.thread, theirs_id = prediction.other;
  if (!index_.covers(mine_id, prediction.last.index) || !index_.covers(theirs_id, prediction.between.index))
    return result;
  const Goal goal{index_.position(mine_id, prediction.first.index), index_.position(mine_id, prediction.last.index),
                  index_.position(theirs_id, prediction.between.index)};
  Window mine{.thread = mine_id, .stop = goal.last, .locks = {}, .need = {}};
  Window theirs{.thread = theirs_id, .stop = free_position_after(theirs_id, goal.between), .locks = {}, .need = {}};
  mine.start = free_position_before(mine_id, goal.first);
  theirs.start = free_position_before(theirs_id, goal.between);
  settle_starts(mine, theirs);
  fill(mine, theirs_id);
  for (const std::uint32_t need : mine.need) theirs.stop = std::max(theirs.stop, need);
  fill(theirs, mine_id);
  const bool found = walk(mine, theirs, goal);
  visited_ += reached_.size() + mine.locks.size() + theirs.locks.size();
  if (!found) {
    result.answer = reached_.size() < most_states_ ? Answer::no : Answer::unknown;
    return result;
  }
  result.answer = Answer::yes;
  const auto executed = [&](const Window& window) {
    return window.start == 0 ? 0 : index_.events(window.thread)[window.start - 1].index + 1;
  };
  result.thread_start = executed(mine);
  result.other_start = executed(theirs);
  result.turns = path(mine, theirs, goal, prediction);
  return result;
}

// Depth first, going on with the thread that moved last, so that the schedule switches only where it has to.
bool PairSearch::walk(const Window& mine, const Window& theirs, const Goal& goal) {
  reached_.clear();
  std::vector<State> open{{mine.start, theirs.start, false}};
  reached_[open.back()] = Move::none;
  const auto push = [&](State state, Move move) {
    if (!locksets_.compatible(mine.locks[state.mine - mine.start], theirs.locks[state.theirs - theirs.start])) return;
    if (reached_.try_emplace(state, move).second) open.push_back(state);
  };
  while (!open.empty() && reached_.size() < most_states_) {
    const State state = open.back();
    open.pop_back();
    if (state.passed && state.mine == goal.last) {
      end_ = state;
      return true;
    }
    const auto step_mine = [&] {
      if (state.mine < mine.stop && state.theirs >= std::max(mine.start_need, mine.need[state.mine - mine.start]))
        push({state.mine + 1, state.theirs, state.passed}, Move::mine);
    };
    const auto step_theirs = [&] {
      const std::uint32_t stop = state.passed ? theirs.stop : goal.between;
      if (state.theirs < stop && state.mine >= std::max(theirs.start_need, theirs.need[state.theirs - theirs.start]))
        push({state.mine, state.theirs + 1, state.passed}, Move::theirs);
    };
    // The last pushed is tried first.
    if (reached_[state] == Move::theirs) {
      step_mine();
      step_theirs();
    } else {
      step_theirs();
      step_mine();
    }
    if (!state.passed && state.theirs == goal.between && state.mine >= std::max(goal.first, theirs.start_need) &&
        state.theirs >= mine.start_need)
      push({state.mine, state.theirs, true}, Move::pass);
  }
  return false;
}

std::vector<Turn> PairSearch::path(const Window& mine, const Window& theirs, const Goal& goal,
                                   const Prediction& prediction) const {
  std::vector<Turn> turns;  // built from the end
  const auto add = [&](std::uint32_t thread, std::uint32_t events) {
    if (turns.empty() || turns.back().thread != thread) turns.push_back({thread, events});
  };
  add(mine.thread, prediction.last.index + 1);
  State state = end_;
  for (Move move = reached_.at(state); move != Move::none; move = reached_.at(state)) {
    if (move == Move::mine) {
      const SyncEvent& event = index_.events(mine.thread)[--state.mine];
      add(mine.thread, event.index + 1);
      // A joined thread also executes what stands behind its last synchronisation event.
      if (event.kind == Kind::join && event.object == theirs.thread)
        add(theirs.thread, index_.event_count(theirs.thread));
    } else if (move == Move::theirs) {
      add(theirs.thread, index_.events(theirs.thread)[--state.theirs].index + 1);
    } else {
      state.passed = false;
      add(theirs.thread, prediction.between.index + 1);
      if (state.mine == goal.first) add(mine.thread, prediction.first.index + 1);
    }
  }
  std::ranges::reverse(turns);
  return turns;
}

}  // namespace muster::predict
