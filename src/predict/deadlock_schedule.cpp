#include "predict/deadlock_schedule.hpp"

#include <algorithm>

#include "predict/prefix.hpp"

namespace muster::predict {

std::optional<std::vector<Turn>> DeadlockScheduler::schedule(const Cycle& cycle) {
  for (const Dependency& wait : cycle)
    if (!index_.covers(wait.thread, wait.index)) return std::nullopt;
  Prefix prefix(index_, segments_, limits(cycle));
  prefix.run();
  const std::vector<std::uint32_t> executed = prefix.executed(), limits = prefix.limits();
  const std::vector<Turn> first = std::move(prefix).turns();
  for (const bool from_start : {false, true}) {
    const std::vector<std::uint32_t> nothing(limits.size());
    const auto rest = search(cycle, from_start ? nothing : executed, limits);
    if (!rest) continue;
    auto turns = join_turns(from_start ? std::vector<Turn>{} : first, *rest);
    if (!find_illegal_step(turns, cycle, index_)) return turns;
  }
  return std::nullopt;
}

/// How far each thread runs at first: those of the cycle to where they held no lock for the last time, the others as
/// far as they are needed.
std::vector<std::uint32_t> DeadlockScheduler::limits(const Cycle& cycle) const {
  std::vector<std::uint32_t> result(index_.thread_count());
  for (const Dependency& wait : cycle) {
    const std::uint32_t segment = segments_.segment_at(wait.thread, wait.index);
    for (std::uint32_t other = 0; other < result.size(); ++other)
      result[other] = std::max(result[other], events_over(index_, segments_, other,
                                                          segments_.completed_before(wait.thread, segment, other)));
  }
  for (std::uint32_t other = 0; other < result.size(); ++other)
    result[other] = extend_to_free(index_, other, result[other]);
  for (const Dependency& wait : cycle) {
    const auto events = index_.events(wait.thread);
    std::uint32_t at = index_.position(wait.thread, wait.index);
    while (at > 0 && events[at - 1].held != 0) --at;
    result[wait.thread] = at == 0 ? 0 : events[at - 1].index + 1;
  }
  return result;
}

std::optional<std::vector<Turn>> DeadlockScheduler::search(const Cycle& cycle,
                                                           const std::vector<std::uint32_t>& executed,
                                                           const std::vector<std::uint32_t>& limits) {
  cycle_ = cycle;
  windows_.begin(limits.size());
  State start;
  for (std::uint32_t thread = 0; thread < limits.size(); ++thread) {
    const auto wait = std::ranges::find(cycle, thread, &Dependency::thread);
    start.push_back(index_.position(thread, executed[thread]));
    windows_.set(thread, start.back(), index_.position(thread, wait == cycle.end() ? limits[thread] : wait->index));
  }
  seen_ = {start};
  turns_.clear();
  if (!walk(start, cycle.front().thread)) return std::nullopt;
  for (const Dependency& wait : cycle) {
    const auto last =
        std::find_if(turns_.rbegin(), turns_.rend(), [&](const Turn& turn) { return turn.thread == wait.thread; });
    const std::uint32_t done = last == turns_.rend() ? executed[wait.thread] : last->events;
    if (done < wait.index) turns_.push_back({wait.thread, wait.index});
  }
  return turns_;
}

bool DeadlockScheduler::is_deadlock(const State& state) const {
  return std::ranges::all_of(cycle_, [&](const Dependency& wait) {
    return state[wait.thread] == index_.position(wait.thread, wait.index) &&
           windows_.order_allows(state, wait.thread, wait.index);
  });
}

bool DeadlockScheduler::walk(const State& state, std::uint32_t last_moved) {
  if (is_deadlock(state)) return true;
  if (seen_.size() >= most_states_) return false;
  if (try_move(state, last_moved)) return true;
  for (std::uint32_t thread = 0; thread < windows_.thread_count(); ++thread)
    if (thread != last_moved && try_move(state, thread)) return true;
  return false;
}

bool DeadlockScheduler::try_move(const State& state, std::uint32_t thread) {
  if (!windows_.can_step(state, thread)) return false;
  State next = state;
  const std::size_t before = turns_.size();
  windows_.step(next, thread, turns_);
  if (seen_.insert(next).second && walk(next, thread)) return true;
  turns_.resize(before);
  return false;
}

}  // namespace muster::predict
