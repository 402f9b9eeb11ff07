#include "predict/wide_search.hpp"

#include <algorithm>

namespace muster::predict {

using trace::Kind;

std::optional<std::vector<Turn>> WideSearch::search(const Prediction& prediction,
                                                    const std::vector<std::uint32_t>& executed,
                                                    const std::vector<std::uint32_t>& limits) {
  prediction_ = prediction;
  first_ = index_.position(prediction.thread, prediction.first.index);
  last_ = index_.position(prediction.thread, prediction.last.index);
  between_ = index_.position(prediction.other, prediction.between.index);
  windows_.assign(limits.size(), {});
  State start;
  for (std::uint32_t thread = 0; thread < limits.size(); ++thread) {
    windows_[thread].start = index_.position(thread, executed[thread]);
    windows_[thread].stop = index_.position(thread, limits[thread]);
    if (thread == prediction.thread) windows_[thread].stop = last_;
    if (thread == prediction.other) {
      const auto events = index_.events(thread);
      std::uint32_t& stop = windows_[thread].stop = between_;
      while (stop > 0 && stop < events.size() && events[stop - 1].held > 0) ++stop;
    }
    fill(thread);
    start.push_back(windows_[thread].start);
  }
  start.push_back(false);
  seen_ = {start};
  turns_.clear();
  if (!walk(start, prediction.other)) return std::nullopt;
  return turns_;
}

/// What the thread holds at each position of its window; those it held before are found by going back to where it held
/// none.
void WideSearch::fill(std::uint32_t thread) {
  Window& window = windows_[thread];
  const auto events = index_.events(thread);
  std::uint32_t at = window.start;
  while (at > 0 && events[at - 1].held > 0) --at;
  std::vector<Held> held;  // with repetitions
  const auto lockset = [&] {
    LocksetId set = no_locks;
    for (const Held lock : held) set = locksets_.with(set, lock);
    return set;
  };
  window.locks.clear();
  for (; at <= window.stop; ++at) {
    if (at >= window.start) window.locks.push_back(lockset());
    if (at == window.stop || !is_lock_event(events[at].kind)) continue;
    const Held lock{events[at].object & 0x7fffffff, !is_shared(events[at].kind)};
    if (is_acquire(events[at].kind))
      held.push_back(lock);
    else if (const auto own = std::ranges::find(held, lock); own != held.end())
      held.erase(own);
  }
}

bool WideSearch::order_allows(const State& state, std::uint32_t thread, std::uint32_t event_index) const {
  const std::uint32_t segment = segments_.segment_at(thread, event_index);
  for (std::uint32_t other = 0; other < windows_.size(); ++other) {
    const std::uint32_t over = other == thread ? 0 : segments_.completed_before(thread, segment, other);
    if (over == 0) continue;
    const std::uint32_t boundary = segments_.first_index(other, over);
    const auto all = static_cast<std::uint32_t>(index_.events(other).size());
    if (state[other] < (boundary == Segments::past_the_end ? all : index_.position(other, boundary))) return false;
  }
  return true;
}

bool WideSearch::can_step(const State& state, std::uint32_t thread) const {
  const Window& window = windows_[thread];
  if (state[thread] >= window.stop) return false;
  const SyncEvent& event = index_.events(thread)[state[thread]];
  // A thread's first events need what its start needs; an awaiting event needs what comes before the segment behind it.
  const bool awaits = event.kind == Kind::join || is_await(event.kind);
  if (!order_allows(state, thread, awaits ? event.index + 1 : event.index)) return false;
  const bool ends_pattern = event.object == prediction_.thread || (event.object == prediction_.other && !state.back());
  if (event.kind == Kind::join && ends_pattern) return false;
  const LocksetId mine = window.locks[state[thread] + 1 - window.start];
  for (std::uint32_t other = 0; other < windows_.size(); ++other)
    if (other != thread && !locksets_.compatible(mine, windows_[other].locks[state[other] - windows_[other].start]))
      return false;
  return true;
}

bool WideSearch::try_move(const State& state, std::uint32_t thread) {
  if (thread == prediction_.other && !state.back() && state[thread] >= between_) return false;
  if (!can_step(state, thread)) return false;
  State next = state;
  const std::size_t before = turns_.size();
  const SyncEvent& event = index_.events(thread)[next[thread]++];
  // A joined thread also executes what stands behind its last synchronisation event.
  if (event.kind == Kind::join) turns_.push_back({event.object, index_.event_count(event.object)});
  turns_.push_back({thread, event.index + 1});
  if (seen_.insert(next).second && walk(next, thread)) return true;
  turns_.resize(before);
  return false;
}

bool WideSearch::try_pass(const State& state) {
  if (state.back() || state[prediction_.other] != between_ || state[prediction_.thread] < first_) return false;
  if (!order_allows(state, prediction_.other, prediction_.between.index)) return false;
  if (!order_allows(state, prediction_.thread, prediction_.first.index)) return false;
  State next = state;
  next.back() = true;
  if (state[prediction_.thread] == first_) turns_.push_back({prediction_.thread, prediction_.first.index + 1});
  turns_.push_back({prediction_.other, prediction_.between.index + 1});
  if (seen_.insert(next).second && walk(next, prediction_.thread)) return true;
  turns_.pop_back();
  if (state[prediction_.thread] == first_) turns_.pop_back();
  return false;
}

bool WideSearch::walk(const State& state, std::uint32_t last_moved) {
  if (state.back() && state[prediction_.thread] == last_) {
    turns_.push_back({prediction_.thread, prediction_.last.index + 1});
    return true;
  }
  if (seen_.size() >= most_states_) return false;
  if (try_pass(state) || try_move(state, last_moved)) return true;
  for (std::uint32_t thread = 0; thread < windows_.size(); ++thread)
    if (thread != last_moved && try_move(state, thread)) return true;
  return false;
}

}  // namespace muster::predict
