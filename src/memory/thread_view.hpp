#pragma once
// What a thread knows of what others did, and has released of what it did itself.

#include <cstdint>

#include "memory/clock.hpp"
#include "memory/possible_order.hpp"

namespace muster {

/// What of it is passed whole, at every savepoint.
struct ThreadViewState {
  PossibleState possible;
  bool fenced = false;  // it has made a release fence
};

struct ThreadView : ThreadViewState {
  Clock clock;            // what happened before
  Clock pending_acquire;  // what relaxed loads have seen: an acquire fence makes it happen before
  Clock release_fence;    // the clock at the last release fence
  ThreadId id = 0;

  /// When what the thread does now happens, by its own clock.
  std::uint16_t& now() { return clock.lane[id]; }

  /// All of it, as far as it is used.
  template <class Strip>
  void pass(Strip& strip, const ClockOps& clocks) {
    strip.pass(static_cast<ThreadViewState&>(*this));
    clocks.pass(strip, clock);
    clocks.pass(strip, pending_acquire);
    if (fenced) clocks.pass(strip, release_fence);
  }
};

}  // namespace muster
