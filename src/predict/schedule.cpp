#include "predict/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "predict/wide_search.hpp"

namespace muster::predict {

using trace::Kind;

/// Runs every thread up to its limit, each as far as it gets before the next one has its turn.
class Scheduler::Prefix {
 public:
  Prefix(const SyncIndex& index, const Segments& segments, std::vector<std::uint32_t> limits)
      : index_(index),
        segments_(segments),
        limits_(std::move(limits)),
        executed_(limits_.size()),
        next_(limits_.size()) {}

  bool run() {
    for (bool progress = true; progress;) {
      progress = false;
      for (std::uint32_t thread = 0; thread < limits_.size(); ++thread) progress |= run_thread(thread);
    }
    return executed_ == limits_;
  }

  std::vector<Turn> turns() && { return std::move(turns_); }
  const std::vector<std::uint32_t>& executed() const { return executed_; }
  const std::vector<std::uint32_t>& limits() const { return limits_; }

 private:
  bool run_thread(std::uint32_t thread) {
    const std::uint32_t before = executed_[thread];
    if (before == limits_[thread] || !order_allows(thread, 0)) return false;
    const auto events = index_.events(thread);
    for (; next_[thread] < events.size() && events[next_[thread]].index < limits_[thread]; ++next_[thread]) {
      const SyncEvent& event = events[next_[thread]];
      if (!allowed(thread, event)) break;
      apply(thread, event);
      executed_[thread] = event.index + 1;
    }
    if (next_[thread] == events.size() || events[next_[thread]].index >= limits_[thread])
      executed_[thread] = limits_[thread];
    if (executed_[thread] == before) return false;
    turns_.push_back({thread, executed_[thread]});
    return true;
  }

  bool order_allows(std::uint32_t thread, std::uint32_t event_index) const {
    const std::uint32_t segment = segments_.segment_at(thread, event_index);
    for (std::uint32_t other = 0; other < executed_.size(); ++other) {
      const std::uint32_t over = other == thread ? 0 : segments_.completed_before(thread, segment, other);
      if (over == 0) continue;
      const std::uint32_t boundary = segments_.first_index(other, over);
      if (executed_[other] < (boundary == Segments::past_the_end ? index_.event_count(other) : boundary)) return false;
    }
    return true;
  }

  bool allowed(std::uint32_t thread, const SyncEvent& event) const {
    if (event.kind == Kind::join || is_await(event.kind)) return order_allows(thread, event.index + 1);
    if (!is_acquire(event.kind) || event.object >= holders_.size()) return true;
    return std::ranges::all_of(holders_[event.object], [&](const auto& holder) {
      return holder.first == thread || (holder.second && is_shared(event.kind));
    });
  }

  void apply(std::uint32_t thread, const SyncEvent& event) {
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

  const SyncIndex& index_;
  const Segments& segments_;
  std::vector<std::uint32_t> limits_, executed_, next_;
  std::vector<std::vector<std::pair<std::uint32_t, bool>>> holders_;  // by lock: thread and whether shared
  std::vector<Turn> turns_;
};

namespace {

std::vector<Turn> join_turns(std::vector<Turn> turns, const std::vector<Turn>& rest) {
  for (const Turn& turn : rest) {
    if (!turns.empty() && turns.back().thread == turn.thread)
      turns.back().events = std::max(turns.back().events, turn.events);
    else
      turns.push_back(turn);
  }
  return turns;
}

}  // namespace

std::uint32_t Scheduler::events_over(std::uint32_t thread, std::uint32_t segments) const {
  if (segments == 0) return 0;
  const std::uint32_t boundary = segments_.first_index(thread, segments);
  return boundary == Segments::past_the_end ? index_.event_count(thread) : boundary;
}

/// A thread that is needed up to the middle of a critical section had better leave it, if nothing stands in the way.
std::uint32_t Scheduler::extend_to_free(std::uint32_t thread, std::uint32_t events) const {
  const auto sync = index_.events(thread);
  std::uint32_t at = index_.position(thread, events);
  if (at == 0 || sync[at - 1].held == 0) return events;
  for (; at < sync.size(); ++at) {
    if (sync[at].kind == Kind::join || is_await(sync[at].kind)) return events;
    if (sync[at].held == 0) return sync[at].index + 1;
  }
  return events;
}

std::vector<std::uint32_t> Scheduler::limits(const Prediction& prediction, const PairSchedule& pair) const {
  std::vector<std::uint32_t> result(index_.thread_count());
  for (const Turn& turn : pair.turns) {
    const std::uint32_t segment = segments_.segment_at(turn.thread, turn.events - 1);
    for (std::uint32_t other = 0; other < result.size(); ++other)
      result[other] =
          std::max(result[other], events_over(other, segments_.completed_before(turn.thread, segment, other)));
  }
  for (std::uint32_t other = 0; other < result.size(); ++other) result[other] = extend_to_free(other, result[other]);
  result[prediction.thread] = pair.thread_start;
  result[prediction.other] = pair.other_start;
  return result;
}

std::optional<std::vector<Turn>> Scheduler::schedule(const Prediction& prediction) {
  const PairSchedule pair = search_.search(prediction);
  if (pair.answer != Answer::yes) return std::nullopt;
  Prefix prefix(index_, segments_, limits(prediction, pair));
  const bool complete = prefix.run();
  const std::vector<std::uint32_t> executed = prefix.executed(), limits = prefix.limits();
  const std::vector<Turn> first = std::move(prefix).turns();
  if (complete) {
    auto turns = join_turns(first, pair.turns);
    if (!find_illegal_step(turns, prediction, index_)) return turns;
  }
  // Other threads are in the way, or have to act in the middle: search with them, from here, then from the beginning.
  WideSearch wide(index_, segments_);
  for (const bool from_start : {false, true}) {
    const std::vector<std::uint32_t> nothing(limits.size());
    const auto rest = wide.search(prediction, from_start ? nothing : executed, limits);
    if (!rest) continue;
    auto turns = join_turns(from_start ? std::vector<Turn>{} : first, *rest);
    if (!find_illegal_step(turns, prediction, index_)) return turns;
  }
  return std::nullopt;
}

namespace {

/// The site of the last event of a turn.
std::optional<std::uint32_t> last_site(const Turn& turn, const Prediction& prediction, const SyncIndex& index) {
  const auto is_last = [&](std::uint32_t thread, const AccessRef& access) {
    return turn.thread == thread && turn.events == access.index + 1;
  };
  if (is_last(prediction.thread, prediction.first)) return prediction.first.site;
  if (is_last(prediction.other, prediction.between)) return prediction.between.site;
  if (is_last(prediction.thread, prediction.last)) return prediction.last.site;
  const std::uint32_t position = index.position(turn.thread, turn.events);
  if (position == 0) return std::nullopt;
  const SyncEvent& event = index.events(turn.thread)[position - 1];
  return event.index + 1 == turn.events ? std::optional(event.site) : std::nullopt;
}

}  // namespace

Plan make_plan(const std::vector<Turn>& turns, const Prediction& prediction, const SyncIndex& index,
               const trace::TraceReader& names) {
  Plan plan;
  plan.about =
      fmt::format("{} on {}", name(prediction.pattern), names.describe(trace::NameClass::variable, prediction.variable));
  const auto thread_name = [&](std::uint32_t thread) { return names.name(trace::NameClass::thread, thread); };
  for (std::uint32_t parent = 0; parent < index.thread_count(); ++parent)
    for (const SyncEvent& event : index.events(parent))
      if (event.kind == Kind::fork)
        plan.forks.push_back({thread_name(event.object), thread_name(parent), event.index});
  const auto add_access = [&](std::uint32_t thread, const AccessRef& access, bool write) {
    plan.accesses.push_back(
        {thread_name(thread), access.index, write, names.name(trace::NameClass::site, access.site)});
  };
  add_access(prediction.thread, prediction.first, writes(prediction.pattern, 0));
  add_access(prediction.other, prediction.between, writes(prediction.pattern, 1));
  add_access(prediction.thread, prediction.last, writes(prediction.pattern, 2));
  for (const Turn& turn : turns) {
    const auto site = last_site(turn, prediction, index);
    plan.turns.push_back({.thread = names.name(trace::NameClass::thread, turn.thread),
                          .events = turn.events,
                          .location = site ? names.name(trace::NameClass::site, *site) : std::string()});
  }
  return plan;
}

}  // namespace muster::predict
