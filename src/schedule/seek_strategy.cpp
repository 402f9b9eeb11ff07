#include "schedule/seek_strategy.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace muster {
namespace {

// A thread that waits for another one by trying again and again must not run for ever: so many steps by rank, of which
// one that gives way by itself counts as many.
constexpr unsigned patience[] = {1000, 200, 200, 1};
constexpr unsigned weight_of_yield = 50;

}  // namespace

bool SeekStrategy::begin_execution(Schedule& schedule) {
  if (std::exchange(done_, true)) return false;
  schedule.truncate(0);
  refresh();
  return true;
}

bool SeekStrategy::is_tired(ThreadId thread, Rank rank) const {
  return steps_[thread] >= patience[static_cast<unsigned>(rank)];
}

/// By rank, but those that are tired after all others.
unsigned SeekStrategy::order(ThreadId thread) const {
  const Rank rank = ranking_->rank(thread);
  return static_cast<unsigned>(rank) + (is_tired(thread, rank) ? std::size(patience) : 0);
}

std::uint8_t SeekStrategy::decide(const Point& point) {
  if (point.kind != PointKind::thread) return 0;
  if (ranking_->gives_up()) return abandon;
  const bool yields = point.cost != Cost::preemption && point.options[0] == point.running;
  if (yields) steps_[point.running] += weight_of_yield;
  const auto tired = [&](Option thread) { return is_tired(thread, ranking_->rank(thread)); };
  if (std::ranges::all_of(point.options, tired)) refresh();
  // Among equals the running one, which is the first option if it can go on.
  const auto best = std::ranges::min_element(point.options, {}, [&](Option thread) { return order(thread); });
  ++steps_[*best];
  return static_cast<std::uint8_t>(best - point.options.begin());
}

}  // namespace muster
