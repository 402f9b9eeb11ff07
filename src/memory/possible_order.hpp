#pragma once
// The order that code which is not watched may make. Each time a thread enters such code, leaves it or gives way in it,
// it may release what it did, and acquire what others released there: a passage. What really happens inside is not
// seen, so all of it is taken for one object that every passage acquires and releases. Such code may also read and
// write atomics that watched code uses: a passage acquires what any thread released by an atomic, and an atomic that
// acquires, acquires what passages before it released.
//
// The clocks of threads, locks and atomics hold only the order that is certain. The possible order of two accesses is:
// the first is released by a passage, or to one, and a later passage or atomic that may have acquired it happened
// before the second for certain. So these events are remembered, and looked at only where two accesses are found not to
// be ordered for certain: executions without passages pay nothing.

#include <cstdint>
#include <optional>
#include <span>

#include "memory/clock.hpp"
#include "memory/pool.hpp"

namespace muster {

struct ThreadView;

/// A function, or a library, that is not watched: a number of whoever tells passages. 0: none.
using UnwatchedCode = std::uint32_t;

/// What may order two accesses: where the first may be released, and where the second may acquire it. One of them is
/// not 0.
struct PossibleLink {
  UnwatchedCode released_in = 0, acquired_in = 0;
};

/// What a thread keeps for this.
struct PossibleState {
  std::uint32_t heard = 0;      // passages before its last atomic that acquires
  std::uint16_t published = 0;  // the thread's clock when it last released something by an atomic, or passed through
};

class PossibleOrder {
 public:
  void begin_execution();
  bool is_empty() const { return passages_ == 0; }

  /// The thread passes through code that is not watched. It must tick afterwards: what it does from now on is not
  /// released.
  void pass_through(const ClockOps& clocks, std::span<const ThreadView> threads, ThreadView& now, UnwatchedCode code);

  /// Whether the thread's next atomic that acquires may acquire something new; then `hear` is to be called.
  bool has_news_for(const PossibleState& thread) const { return thread.heard != passages_; }
  void hear(ThreadView& now);

  /// Whether what `thread` did at `clock` may have happened before `now`, and by which passages.
  std::optional<PossibleLink> link(ThreadId thread, std::uint16_t clock, const Clock& now);

  /// All of it, for savepoints. Only the last event still changes: those before it are as they were when an execution
  /// goes back.
  template <class Strip>
  void pass(Strip& strip) {
    strip.pass(passages_);
    events_.pass_size(strip);
    if (events_.size() > 0) strip.pass(events_[events_.size()]);
    if (!is_empty())
      strip.pass(released_);
    else if constexpr (!Strip::saving)
      released_ = {};
  }

 private:
  /// A passage, or several of the same thread that could acquire nothing new in between; or an atomic.
  struct Event {
    Clock acquired;  // what may have been
    ThreadId thread;
    bool is_passage;
    std::uint16_t first_clock, last_clock;  // of the thread
    UnwatchedCode first, last;              // of an atomic: the passage before it
  };
  void add(ThreadView& now, const Clock& acquired, bool is_passage, UnwatchedCode code);
  /// The last one that happened before `now` for certain; 0 if none did.
  std::uint32_t last_before(const Clock& now);

  std::uint32_t passages_ = 0;
  Clock released_ = {};  // by all of them
  Pool<Event> events_;
};

}  // namespace muster
