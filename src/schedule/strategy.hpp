#pragma once
// A strategy picks the next decision. It sees points, options and what was executed, nothing else.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "reduction/access.hpp"
#include "reduction/arrival.hpp"
#include "schedule/schedule.hpp"

namespace muster {

/// How an execution ended.
enum class Ending : std::uint8_t {
  completed,  // every thread finished
  stuck,      // something is pending and can never finish
  incident,   // a finding ended it
  cut,        // the step limit was reached: undecided
  abandoned,  // the strategy or the observer wanted no more of it
};

/// A search reduced to one execution of each class: what it is told of the execution under way, and asked. Then calls
/// are no points, and spinning threads that repeat themselves are given up.
class Reducer {
 public:
  virtual ~Reducer() = default;

  /// Which threads are taken for the same.
  virtual Symmetry symmetry() const { return Symmetry::none; }
  /// `thread` makes its next step: what it touches up to its next point follows. False abandons the execution.
  virtual bool begin_transition(ThreadId) { return true; }
  virtual void accessed(const Access&) {}
  /// `thread`, which is at a point or has ended, is on its own for good. True if nothing that it does from here on
  /// tells the search anything.
  virtual bool has_seen_enough(ThreadId /*thread*/) { return false; }
  /// The execution is put where it was when so many transitions had begun: those are repeated already.
  virtual void goes_on_after(std::uint32_t /*transitions*/) {}
  /// The running thread is about to write or return; `state` gives a hash of where it is. If it tried before, `decide`
  /// is asked next whether it goes on: a failed attempt may be better left out, and then this execution shows nothing
  /// that another one does not.
  virtual void arrives(const Arrival&, StateHash /*state*/) {}
  /// The running thread is back where it was before it tried something in vain; `same`, in all that matters. `decide`
  /// is asked next, as after `arrives`.
  virtual void tries_again(bool /*same*/) {}
  /// Everything is as it was when so many transitions had begun. `decide` is asked next, as after `arrives`.
  virtual void comes_round(std::uint32_t /*transitions*/) {}
  /// `state` gives a hash of where the running thread is, which follows from what it saw: it may be remembered by that.
  virtual std::uint64_t state_after(std::uint64_t /*sight*/, StateHash state) { return state(); }
  /// At the end of an execution: this thread waits to touch something and cannot.
  virtual void waits(ThreadId, const Access&) {}
};

/// A search that goes through a tree: where it is, what is left, and what it leaves out.
class Traversal {
 public:
  virtual ~Traversal() = default;

  /// Of decisions that it comes back to: how many leading ones this execution shares with the one before it, and how
  /// many preemptions and late yields there may be before a decision whose other options are still tried if they cost
  /// one more.
  struct Return {
    std::uint32_t kept = 0;
    unsigned preemptions = 0, late_yields = 0;
  };
  virtual std::optional<Return> comes_back() const { return std::nullopt; }

  /// Gives away part of the work that is left, as a schedule for a strategy of the same kind; nothing if it cannot.
  virtual std::optional<std::vector<Decision>> split(Schedule&) { return std::nullopt; }

  /// Whether the search may be left here, between two executions, to be gone on with another day.
  virtual bool can_pause() const { return true; }

  /// The share of the search that is done, as far as it can be told.
  virtual double share_done(const Schedule&) const { return 0; }

  /// What a bound left out.
  struct LeftOut {
    bool preemptions = false, late_yields = false;
  };
  virtual LeftOut left_out() const { return {}; }
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  /// Prepares the next execution by leaving in `schedule` the decisions it must repeat; false ends the search.
  virtual bool begin_execution(Schedule& schedule) = 0;

  /// What `decide` returns to end the execution instead.
  static constexpr std::uint8_t abandon = 255;

  /// Picks one of `point.options`, which has at least two.
  virtual std::uint8_t decide(const Point& point) = 0;

  virtual void executed(const Event&) {}
  virtual void end_execution(const Schedule&, Ending) {}

  /// What is so in all its executions.
  struct Manners {
    bool takes_first = false;     // `decide` always gives the first option: it need not be called
    bool watches_events = false;  // `executed` wants to be called: only then do executions pay for it
    bool prunes = false;          // an execution may be abandoned once it is known to repeat another one of the search
    bool begins_again = false;    // the search does, when an execution learned what those before it did not know
  };
  virtual Manners manners() const { return {}; }

  /// What more there is to it than picking options, if anything.
  virtual Reducer* reducer() { return nullptr; }
  virtual Traversal* traversal() { return nullptr; }

  /// A strategy that is good for one execution may begin it anew.
  virtual void rewind() {}
};

}  // namespace muster
