#pragma once
// The order that code which is not watched may make. Each time a thread enters such code, leaves it or gives way in it,
// it may release what it did, and acquire what others released there: a passage. What really happens inside is not
// seen, so all of it is taken for one object that every passage acquires and releases.
//
// The clocks of threads, locks and atomics hold only the order that is certain. As all passages concern one object, the
// possible order of two accesses is: the first happened before some passage for certain, and a later passage happened
// before the second for certain. So passages are remembered, and looked at only where two accesses are found not to be
// ordered for certain: executions without passages pay nothing.

#include <cstdint>
#include <optional>

#include "runtime/clock.hpp"
#include "runtime/pool.hpp"

namespace muster {

/// A function, or a library, that is not watched: a number of whoever tells passages.
using UnwatchedCode = std::uint32_t;

/// What may order two accesses: where the first may be released, and where the second may acquire it.
struct PossibleLink {
  UnwatchedCode released_in = 0, acquired_in = 0;
};

class PossibleOrder {
 public:
  void begin_execution();
  bool is_empty() const { return passages_.size() == 0; }

  /// The thread, whose clock this is, passes through code that is not watched. It must tick afterwards: what it does
  /// from now on is not released.
  void pass_through(const ClockOps& clocks, const Clock& now, ThreadId thread, UnwatchedCode code);

  /// Whether what `thread` did at `clock` may have happened before `now`, and by which passages.
  std::optional<PossibleLink> link(ThreadId thread, std::uint16_t clock, const Clock& now);

  /// All of it, for savepoints.
  template <class Strip>
  void pass(Strip& strip) {
    passages_.pass(strip);
    if (!is_empty())
      strip.pass(released_);
    else if constexpr (!Strip::saving)
      released_ = {};
  }

 private:
  /// One or more of the same thread, with none of another one in between: only the first of them learns anything.
  struct Passage {
    Clock acquired;  // what all passages before it released
    ThreadId thread;
    std::uint16_t clock;  // of the thread, at the first of them
    UnwatchedCode first, last;
  };
  /// The last passage that happened before `now` for certain; 0 if none did.
  std::uint32_t last_before(const Clock& now);

  Clock released_ = {};  // by all of them
  Pool<Passage> passages_;
};

}  // namespace muster
