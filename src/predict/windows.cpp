#include "predict/windows.hpp"

#include <algorithm>

namespace muster::predict {

using trace::Kind;

/// The locks that the thread holds at the start are found by going back to where it held none.
void Windows::set(std::uint32_t thread, std::uint32_t start, std::uint32_t stop) {
  Window& window = windows_[thread];
  window = {.start = start, .stop = stop, .locks = {}};
  const auto events = index_.events(thread);
  std::uint32_t at = start;
  while (at > 0 && events[at - 1].held > 0) --at;
  std::vector<Held> held;  // with repetitions
  const auto lockset = [&] {
    LocksetId set = no_locks;
    for (const Held lock : held) set = locksets_.with(set, lock);
    return set;
  };
  for (; at <= stop; ++at) {
    if (at >= start) window.locks.push_back(lockset());
    if (at == stop || !is_lock_event(events[at].kind)) continue;
    const Held lock{events[at].object & 0x7fffffff, !is_shared(events[at].kind)};
    if (is_acquire(events[at].kind))
      held.push_back(lock);
    else if (const auto own = std::ranges::find(held, lock); own != held.end())
      held.erase(own);
  }
}

bool Windows::order_allows(const State& state, std::uint32_t thread, std::uint32_t event_index) const {
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

bool Windows::can_step(const State& state, std::uint32_t thread) const {
  const Window& window = windows_[thread];
  if (state[thread] >= window.stop) return false;
  const SyncEvent& event = index_.events(thread)[state[thread]];
  // A thread's first events need what its start needs; an awaiting event needs what comes before the segment behind it.
  const bool awaits = event.kind == Kind::join || is_await(event.kind);
  if (!order_allows(state, thread, awaits ? event.index + 1 : event.index)) return false;
  const LocksetId mine = window.locks[state[thread] + 1 - window.start];
  for (std::uint32_t other = 0; other < windows_.size(); ++other)
    if (other != thread && !locksets_.compatible(mine, windows_[other].locks[state[other] - windows_[other].start]))
      return false;
  return true;
}

void Windows::step(State& state, std::uint32_t thread, std::vector<Turn>& turns) const {
  const SyncEvent& event = index_.events(thread)[state[thread]++];
  // A joined thread also executes what stands behind its last synchronisation event.
  if (event.kind == Kind::join) turns.push_back({event.object, index_.event_count(event.object)});
  turns.push_back({thread, event.index + 1});
}

}  // namespace muster::predict
