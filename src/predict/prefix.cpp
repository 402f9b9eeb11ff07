#include "predict/prefix.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace muster::predict {

using trace::Kind;

namespace {

// More switches between threads than anybody could follow are not kept.
constexpr std::size_t most_turns = 2'000;

}  // namespace

bool Prefix::run() { return run_in_order() || run_by_thread(); }

void Prefix::begin() {
  executed_.assign(limits_.size(), 0);
  next_.assign(limits_.size(), 0);
  holders_.clear();
  turns_.clear();
  silent_.clear();
  for (std::uint32_t thread = 0; thread < limits_.size(); ++thread)
    if (limits_[thread] > 0 && !has_next(thread)) silent_.push_back(thread);
}

bool Prefix::has_next(std::uint32_t thread) const {
  const auto events = index_.events(thread);
  return next_[thread] < events.size() && events[next_[thread]].index < limits_[thread];
}

/// The thread's next synchronisation event; behind its last one, all that is left of it.
void Prefix::step(std::uint32_t thread) {
  const SyncEvent& event = index_.events(thread)[next_[thread]++];
  apply(thread, event);
  executed_[thread] = has_next(thread) ? event.index + 1 : limits_[thread];
}

void Prefix::take_turn(std::uint32_t thread) {
  if (turns_.empty() || turns_.back().thread != thread) turns_.push_back({thread, 0});
  turns_.back().events = executed_[thread];
}

bool Prefix::run_in_order() {
  begin();
  std::priority_queue<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::pair<std::uint32_t, std::uint32_t>>,
                      std::greater<>>
      heads;  // tick and thread
  const auto push = [&](std::uint32_t thread) {
    if (has_next(thread)) heads.emplace(index_.events(thread)[next_[thread]].tick, thread);
  };
  for (std::uint32_t thread = 0; thread < limits_.size(); ++thread) push(thread);
  while (!heads.empty()) {
    const std::uint32_t thread = heads.top().second;
    heads.pop();
    run_silent_threads();
    if (!order_allows(thread, 0) || !allowed(thread, index_.events(thread)[next_[thread]])) return false;
    step(thread);
    take_turn(thread);
    if (turns_.size() > most_turns) return false;
    push(thread);
  }
  run_silent_threads();
  return executed_ == limits_;
}

/// Those that make no synchronisation event, as soon as they may.
bool Prefix::run_silent_threads() {
  const auto run = [&](std::uint32_t thread) {
    if (!order_allows(thread, 0)) return false;
    executed_[thread] = limits_[thread];
    take_turn(thread);
    return true;
  };
  return std::erase_if(silent_, run) > 0;
}

bool Prefix::run_by_thread() {
  begin();
  for (bool progress = true; progress;) {
    progress = run_silent_threads();
    for (std::uint32_t thread = 0; thread < limits_.size(); ++thread) progress |= run_thread(thread);
  }
  return executed_ == limits_;
}

bool Prefix::run_thread(std::uint32_t thread) {
  if (!order_allows(thread, 0)) return false;
  bool progress = false;
  for (; has_next(thread) && allowed(thread, index_.events(thread)[next_[thread]]); progress = true) step(thread);
  if (progress) take_turn(thread);
  return progress;
}

bool Prefix::order_allows(std::uint32_t thread, std::uint32_t event_index) const {
  const std::uint32_t segment = segments_.segment_at(thread, event_index);
  for (std::uint32_t other = 0; other < executed_.size(); ++other) {
    const std::uint32_t over = other == thread ? 0 : segments_.completed_before(thread, segment, other);
    if (over == 0) continue;
    const std::uint32_t boundary = segments_.first_index(other, over);
    if (executed_[other] < (boundary == Segments::past_the_end ? index_.event_count(other) : boundary)) return false;
  }
  return true;
}

bool Prefix::allowed(std::uint32_t thread, const SyncEvent& event) const {
  if (event.kind == Kind::join || is_await(event.kind)) return order_allows(thread, event.index + 1);
  if (!is_acquire(event.kind) || event.object >= holders_.size()) return true;
  return std::ranges::all_of(holders_[event.object], [&](const auto& holder) {
    return holder.first == thread || (holder.second && is_shared(event.kind));
  });
}

void Prefix::apply(std::uint32_t thread, const SyncEvent& event) {
  if (!is_lock_event(event.kind)) return;
  if (event.object >= holders_.size()) holders_.resize(event.object + 1);
  auto& holders = holders_[event.object];
  const std::pair holder{thread, is_shared(event.kind)};
  if (is_acquire(event.kind)) {
    holders.push_back(holder);
  } else if (const auto own = std::ranges::find(holders, holder); own != holders.end()) {
    holders.erase(own);
  }
}

std::vector<Turn> join_turns(std::vector<Turn> turns, const std::vector<Turn>& rest) {
  for (const Turn& turn : rest) {
    if (!turns.empty() && turns.back().thread == turn.thread)
      turns.back().events = std::max(turns.back().events, turn.events);
    else
      turns.push_back(turn);
  }
  return turns;
}

std::uint32_t events_over(const SyncIndex& index, const Segments& segments, std::uint32_t thread, std::uint32_t count) {
  if (count == 0) return 0;
  const std::uint32_t boundary = segments.first_index(thread, count);
  return boundary == Segments::past_the_end ? index.event_count(thread) : boundary;
}

std::uint32_t extend_to_free(const SyncIndex& index, std::uint32_t thread, std::uint32_t events) {
  const auto sync = index.events(thread);
  std::uint32_t at = index.position(thread, events);
  if (at == 0 || sync[at - 1].held == 0) return events;
  for (; at < sync.size(); ++at) {
    if (sync[at].kind == Kind::join || is_await(sync[at].kind)) return events;
    if (sync[at].held == 0) return sync[at].index + 1;
  }
  return events;
}

}  // namespace muster::predict
