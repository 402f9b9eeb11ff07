#pragma once
// Going back instead of starting again. A depth-first search repeats all decisions of an execution but the last few.
// Where it will come back to a decision, everything that the execution has made so far is copied (stacks,
// thread-locals, heap, globals, what the engine and the race detector know); the next execution puts that back and goes
// on from there. What cannot be put back, such as files and memory of the C library, is noticed, and then executions
// begin at their start. One in many does so anyway, and repeats all its decisions: an execution that is not
// reproducible shows there.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tape.hpp"
#include "fiber/context.hpp"
#include "runtime/savepoint.hpp"
#include "schedule/strategy.hpp"

namespace muster {

class Engine;

class GoingBack {
 public:
  explicit GoingBack(Engine& engine) : engine_(engine) {}

  /// Executions may begin where they part from the one before, instead of at their start: everything they can change is
  /// put back.
  void allow() { allowed_ = true; }
  /// Something happened in this execution that cannot be taken back: from now on all begin at their start.
  void left_traces();

 private:
  friend class Engine;
  friend class ReducedExecution;
  static constexpr std::uint32_t never = ~std::uint32_t{0};

  // ---- for the engine ----

  /// Whether it could: then the execution is where it parts from the one before.
  bool go_back();
  /// Whether a savepoint is worth it here, and is made: if so, it is entered, and what belongs to it is to be copied.
  [[gnu::always_inline]] bool begin_savepoint(std::uint32_t step, Cost cost, Savepoint::Kind kind) {
    return step >= save_from_ && make_savepoint(cost, kind);
  }
  /// For Context::save: `self` is the engine.
  static void copy_to_tape(void* self);
  /// The running thread writes there.
  void look_outside(std::uintptr_t address);
  /// Savepoints are made in this execution no more.
  void stop_saving() { save_from_ = never; }

  void expect_savepoint();
  void prepare();
  void decide_for_running(bool may_stay);
  bool worth_saving(Cost cost) const;
  std::size_t size_to_save() const;
  bool make_savepoint(Cost cost, Savepoint::Kind kind);
  void pass(Tape& tape);
  template <class Strip>
  static void pass_stack(Strip& strip, Context& context);

  Engine& engine_;
  bool saves_ = false;                 // savepoints are made in this execution
  bool allowed_ = false;               // and nothing stands against it so far
  std::uint32_t save_from_ = never;    // the step from which on the next one is worth it
  unsigned since_start_ = 0;           // executions since the last that began at its start
  std::vector<Savepoint> savepoints_;  // along the schedule
  Tape tape_;
  Traversal::Return returns_;
};

}  // namespace muster
