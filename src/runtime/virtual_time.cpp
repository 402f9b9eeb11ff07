#include "runtime/virtual_time.hpp"

#include <algorithm>

#include "runtime/engine.hpp"

namespace muster {
namespace {

constexpr std::uint64_t clock_start =
    1'000'000'000'000;  // virtual nanoseconds; far from 0, so that subtracting a little stays positive
constexpr std::uint64_t clock_tick = 1'000;
constexpr std::uint64_t clock_tick_limit = 1'000'000'000;

}  // namespace

void VirtualTime::start() {
  now_ = clock_start;
  looks_ = 0;
  step_ = clock_tick;
}

std::uint64_t VirtualTime::now() {
  decides();
  return now_for_sleep();
}

std::uint64_t VirtualTime::now_for_sleep() {
  engine_.reduction_.begin_another();
  if (engine_.racy_sites_.looks_at_clock()) engine_.reduction_.touches({.object = objects::clock});
  return now_;
}

/// Reduction takes a sleep for nothing that others notice, until somebody looks at the clock.
void VirtualTime::decides() {
  ++looks_;
  if (!engine_.reduction_.reducing() || !engine_.manners_.begins_again) return;
  if (engine_.racy_sites_.look_at_clock() && engine_.racy_sites_.sleeps()) engine_.result_.learned = true;
}

void VirtualTime::advance_to(std::uint64_t time) {
  engine_.reduction_.touches({.object = objects::clock, .mode = AccessMode::write});
  now_ = std::max(now_, time);
}

void VirtualTime::sleep_until(std::uint64_t time) {
  engine_.reduction_.sleeps();
  now_ = std::max(now_, time);
}

/// Time passes when somebody looks; faster and faster for a thread that only looks, so that polling for a deadline
/// ends.
std::uint64_t VirtualTime::look(SiteId site) {
  if (engine_.reduction_.reducing() || engine_.options_.clock_points)
    engine_.point(EventKind::clock, objects::clock, site);
  if (engine_.current_->spin.repeats(site, 1, 0)) step_ = std::min(step_ * 2, clock_tick_limit);
  engine_.reduction_.touches({.object = objects::clock, .mode = AccessMode::write});
  now_ += step_;
  decides();
  engine_.reduction_.notice(now_);
  return now_;
}

}  // namespace muster
