#pragma once
// What a search that is reduced to one execution of each class is told of the execution under way, and asked.

#include <cstdint>

#include "reduction/access.hpp"
#include "reduction/arrival.hpp"
#include "schedule/point.hpp"
#include "schedule/schedule.hpp"

namespace muster {

/// Under reduction calls are no points, and spinning threads that repeat themselves are given up.
class Reducer {
 public:
  virtual ~Reducer() = default;

  /// Which threads are taken for the same.
  virtual Symmetry symmetry() const { return Symmetry::none; }
  /// `thread` makes its next step: what it touches up to its next point follows. False abandons the execution.
  virtual bool begin_transition(ThreadId) { return true; }
  virtual void accessed(const Access&) {}
  /// Its access of an atomic reads this message, or stores right above it.
  virtual void takes(MessageName) {}
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

}  // namespace muster
