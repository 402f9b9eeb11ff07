#include "schedule/random_strategies.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace muster {
namespace {

bool writes(EventKind kind) {
  return kind != EventKind::load && kind != EventKind::read && kind != EventKind::fence && kind != EventKind::clock;
}

bool conflict(const Event& a, const Event& b) {
  return a.object == b.object && a.object != 0 && (writes(a.kind) || writes(b.kind));
}

}  // namespace

bool SeededStrategy::begin_execution(Schedule& schedule) {
  const auto number = next_();
  if (!number) return false;
  schedule.truncate(0);
  rng_ = Rng(mix(seed_, *number));
  patient_ = 0;
  prepare();
  return true;
}

Turn turn_at(const Point& point) {
  if (point.cost == Cost::late_yield) return Turn::later;
  // A thread that blocked is no option any more, and one that was just woken is the first of them.
  const bool may_stay = point.cost == Cost::free && point.options.back() == point.running;
  return may_stay ? Turn::first : Turn::none;
}

/// Loops that end by themselves, as those in front of a futex wait do, take many turns. Were each of them a new chance
/// to give way, what comes after the loop would hardly ever be reached while others can step. So at its first turn a
/// thread is drawn to be patient or not.
bool SeededStrategy::goes_on_spinning(const Point& point) {
  constexpr unsigned turns = 32;  // at each of which it changes its mind once in so many times
  const std::uint64_t self = std::uint64_t{1} << point.running;
  if (turn_at(point) == Turn::first) {
    patient_ = rng_.chance(1, 2) ? patient_ | self : patient_ & ~self;
    return (patient_ & self) != 0;
  }
  return (patient_ & self) != 0 && !rng_.chance(1, turns);
}

std::uint8_t SeededStrategy::decide(const Point& point) {
  if (point.kind != PointKind::thread) return static_cast<std::uint8_t>(rng_.below(point.options.size()));
  const Turn turn = turn_at(point);
  if (turn == Turn::none) return pick(point);
  if (goes_on_spinning(point)) return turn == Turn::first ? static_cast<std::uint8_t>(point.options.size() - 1) : 0;
  gives_way(point.running);
  return pick(point);
}

std::uint8_t RandomWalkStrategy::pick(const Point& point) {
  return static_cast<std::uint8_t>(rng().below(point.options.size()));
}

void PctStrategy::prepare() {
  steps_ = 0;
  lowest_ = depth_;
  for (std::uint64_t& priority : priority_) priority = (rng().next() >> 1) + depth_ + 1;
  changes_.clear();
  for (unsigned i = 1; i < depth_; ++i) changes_.push_back(rng().below(longest_));
}

/// A thread that yields or spins goes below the others: priorities must not starve whom it waits for.
void PctStrategy::gives_way(ThreadId thread) {
  if (lowest_ > 0) {
    priority_[thread] = --lowest_;
    return;
  }
  for (std::uint64_t& priority : priority_) priority += depth_ + 1;
  priority_[thread] = 0;
}

std::uint8_t PctStrategy::pick(const Point& point) {
  const std::uint64_t step = steps_++;
  if (std::find(changes_.begin(), changes_.end(), step) != changes_.end()) gives_way(point.running);
  const auto best = std::max_element(point.options.begin(), point.options.end(),
                                     [&](Option a, Option b) { return priority_[a] < priority_[b]; });
  return static_cast<std::uint8_t>(best - point.options.begin());
}

void PctStrategy::end_execution(const Schedule&, Ending) { longest_ = std::max(longest_, steps_); }

std::uint8_t PosStrategy::pick(const Point& point) {
  for (const Option thread : point.options) {
    Drawn& drawn = drawn_[thread];
    if (drawn.event != point.next[thread].index) drawn = {point.next[thread].index, rng().next()};
  }
  const auto best = std::max_element(point.options.begin(), point.options.end(),
                                     [&](Option a, Option b) { return drawn_[a].priority < drawn_[b].priority; });
  for (const Option thread : point.options) {
    if (thread != *best && conflict(point.next[thread], point.next[*best])) drawn_[thread].event = ~0u;
  }
  return static_cast<std::uint8_t>(best - point.options.begin());
}

}  // namespace muster
