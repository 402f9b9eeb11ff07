#pragma once
// A model thread: where it is, what it knows, and whether it is spinning.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/event.hpp"
#include "base/tape.hpp"
#include "fiber/context.hpp"
#include "reduction/access.hpp"
#include "reduction/retry_tracker.hpp"

namespace muster {

struct SpinEpisode {
  std::uint32_t size_ = 0;  // reads that are remembered
  std::uint32_t next_ = 0;
  std::uint32_t iterations_ = 0;
  bool anything_matters_ = false;
  std::uint32_t resets_ = 0;
};

/// Notices that a thread repeats itself: the same code reading the same value of the same object with no write of its
/// own in between. A spin episode lasts until the thread makes progress or is switched away.
class SpinTracker : private SpinEpisode {
 public:
  /// The thread wrote something others can see, or starts anew: what it read before says nothing any more.
  void reset() {
    size_ = next_ = iterations_ = 0;
    ++resets_;
    anything_matters_ = false;
    place_ = {.state = place_.state};
  }

  /// Whether this read repeats one of the current episode; remembers it if not.
  /// Object 0 with a value stands for "something this lock protects": any write may matter then.
  bool repeats(SiteId site, ObjectId object, std::uint64_t value) {
    for (unsigned i = 0; i < size_; ++i) {
      Read& read = reads_[i];
      if (read.site != site || read.object != object) continue;
      if (read.value == value) return true;
      read.value = value;
      return false;
    }
    if (object == 0 && value != 0) anything_matters_ = true;
    if (size_ < reads_.size()) {
      reads_[size_++] = {site, object, value};
    } else {
      reads_[next_++ % reads_.size()] = {site, object, value};
      anything_matters_ = true;  // the table no longer holds all that is read
    }
    return false;
  }

  /// Whether a write to `object` can matter to a thread held back in this episode.
  bool depends_on(ObjectId object) const {
    if (anything_matters_) return true;
    bool reads_something = false;
    for (unsigned i = 0; i < size_; ++i) {
      if (reads_[i].object == 0) continue;
      reads_something = true;
      if ((reads_[i].object ^ object) < 8) return true;
    }
    return !reads_something;
  }

  enum class Round : std::uint8_t { goes_on, remembered, closed };
  /// Whether the thread was at `site` in this very state before, in the same episode. Remembers the first, second,
  /// fourth … place it comes to (Brent's algorithm): a loop may read at several.
  template <class State>
  Round comes_to(SiteId site, State state) {
    const bool remembers = std::has_single_bit(place_.visits + 1);
    if (place_.repeating_at != site && !remembers) {
      ++place_.visits;
      return Round::goes_on;
    }
    const std::uint64_t here = state();
    if (place_.repeating_at == site && place_.state == here) return Round::closed;
    ++place_.visits;
    if (!remembers) return Round::goes_on;
    place_.repeating_at = site;
    place_.state = here;
    place_.slept = false;
    return Round::remembered;
  }

  template <class Strip>
  void pass(Strip& strip) {
    strip.pass(static_cast<SpinEpisode&>(*this));
    strip.pass_items(reads_.data(), size_);
  }

  /// The place that a loop may come back to: only reduction remembers one.
  template <class Strip>
  void pass_place(Strip& strip) {
    strip.pass(place_);
  }

  bool remembers_a_place() const { return place_.repeating_at != 0; }
  /// Whether it slept since: that is nothing new to itself, but it may be to who looks at the clock.
  bool slept() const { return place_.slept; }
  void sleeps() { place_.slept = true; }

  unsigned iterations() const { return iterations_; }
  /// How often the thread did something that others can notice, at least.
  std::uint32_t resets() const { return resets_; }
  void iterate() { ++iterations_; }
  void end_episode() { iterations_ = 0; }

 private:
  struct Read {
    SiteId site = 0;
    ObjectId object = 0;
    std::uint64_t value = 0;
  };
  struct Place {
    unsigned visits = 0;
    bool slept = false;
    SiteId repeating_at = 0;
    std::uint64_t state = 0;
  };
  Place place_;  // under reduction
  std::array<Read, 16> reads_{};
};

/// What becomes of a thread after its start. After its end none of it changes any more.
struct alignas(16) ThreadState {
  enum class Status : std::uint8_t { unused, ready, blocked, finished };

  Status status = Status::unused;
  bool timed = false;     // blocked, but only until `deadline`
  bool expired = false;   // the timed wait ended by its deadline
  bool attached = false;  // a call was marked: the next visible event belongs to it and is no point of its own
  bool in_operation = false;
  bool stayed = false;     // in this spin episode it could have left at once and did not
  bool outrun = false;     // it was woken before its deadline, and waits for something else now
  bool woken = false;      // by the end of a thread it joined: its next point is free
  bool internal = false;   // started by the object under test: it runs in serial executions too
  bool looked_at = false;  // somebody looked at its state since its stack was wiped
  EventKind blocked_as = EventKind::start;
  // Under symmetry: reduced_execution_symmetry.cpp.
  bool makes_debut = false;          // in what it is about to do
  ThreadId comes_after = no_thread;  // the thread before it among those alike, or itself
  std::uint64_t deadline = 0;
  ObjectId blocked_on = 0;
  SiteId blocked_site = 0;  // of what it is about to take
  std::uint32_t events = 0;
  unsigned uncontrolled = 0;
  std::uint32_t unblocked = 0;   // how often it could go on
  unsigned locks = 0;            // that it holds
  std::uint32_t last_run = 0;    // the step at which it was last switched away from
  std::uint32_t run_length = 0;  // visible steps since the thread was last switched to
  void* result = nullptr;
  std::uint64_t joiners = 0;
  std::uint64_t spin_state = 0;  // a hash of where it was at the event `state_at`
  std::uint32_t state_at = ~0u;
  struct Circles {
    std::uint32_t events = ~0u;
    std::uint64_t writes = 0;
    bool operator==(const Circles&) const = default;
  };
  Circles circles;  // when it was found to go round in circles that change nothing
};

struct Thread : ThreadState {
  SpinTracker spin;

  // The same from its start to the end of the execution, also of one that goes back to after its start.
  Context* context = nullptr;
  ThreadId id = 0;
  ThreadId parent = 0;
  void* (*start)(void*) = nullptr;
  void* argument = nullptr;

  // Under reduction.
  std::vector<Access> turn;  // what it read since it was where it may come back to
  RetryTracker attempt;
  std::uint64_t writes_at_lock = ~std::uint64_t{0};  // how many there were when it last came to a lock

  /// All of it, as far as it is used.
  template <class Strip>
  void pass(Strip& strip) {
    strip.pass(static_cast<ThreadState&>(*this));
    spin.pass(strip);
  }
  /// The same of what only reduction knows.
  template <class Strip>
  void pass_attempt(Strip& strip) {
    spin.pass_place(strip);
    strip.pass_lists(turn);
    strip.pass(writes_at_lock);
    attempt.pass(strip);
  }
};

}  // namespace muster
