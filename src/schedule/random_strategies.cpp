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
  prepare();
  return true;
}

std::uint8_t RandomWalkStrategy::decide(const Point& point) {
  return static_cast<std::uint8_t>(rng().below(point.options.size()));
}

void PctStrategy::prepare() {
  steps_ = 0;
  lowest_ = depth_;
  for (std::uint64_t& priority : priority_) priority = (rng().next() >> 1) + depth_ + 1;
  changes_.clear();
  for (unsigned i = 1; i < depth_; ++i) changes_.push_back(rng().below(longest_));
}

std::uint8_t PctStrategy::decide(const Point& point) {
  if (point.kind != PointKind::thread) return static_cast<std::uint8_t>(rng().below(point.options.size()));
  const std::uint64_t step = steps_++;
  const bool change = std::find(changes_.begin(), changes_.end(), step) != changes_.end();
  // A thread that yields or spins goes below the others too: priorities must not starve whom it waits for.
  const bool yields = point.cost != Cost::preemption;
  if (change || yields) priority_[point.running] = lowest_ > 0 ? --lowest_ : 0;
  if (yields && lowest_ == 0) {
    for (std::uint64_t& priority : priority_) priority += depth_ + 1;
    priority_[point.running] = 0;
  }
  const auto best = std::max_element(point.options.begin(), point.options.end(),
                                     [&](Option a, Option b) { return priority_[a] < priority_[b]; });
  return static_cast<std::uint8_t>(best - point.options.begin());
}

void PctStrategy::end_execution(const Schedule&, Ending) { longest_ = std::max(longest_, steps_); }

std::uint8_t PosStrategy::decide(const Point& point) {
  if (point.kind != PointKind::thread) return static_cast<std::uint8_t>(rng().below(point.options.size()));
  for (const Option thread : point.options) {
    Drawn& drawn = drawn_[thread];
    if (drawn.event != point.next[thread].index) drawn = {point.next[thread].index, rng().next()};
  }
  const auto best = std::max_element(point.options.begin(), point.options.end(),
                                     [&](Option a, Option b) { return drawn_[a].priority < drawn_[b].priority; });
  for (const Option thread : point.options) {
    if (thread != *best && conflict(point.next[thread], point.next[*best])) drawn_[thread].event = ~0u;
  }
  if (point.cost != Cost::preemption) drawn_[point.running].event = ~0u;
  return static_cast<std::uint8_t>(best - point.options.begin());
}

}  // namespace muster
