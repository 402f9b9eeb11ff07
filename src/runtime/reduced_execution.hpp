#pragma once
// An execution under reduction. A transition begins at each point; what it touches is reported to the reducer. Threads
// that repeat themselves are given up, attempts that fail and leave nothing behind end the execution or the thread, and
// threads that make the same calls are explored under one naming.

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/key_table.hpp"
#include "base/tape.hpp"
#include "reduction/reducer.hpp"
#include "runtime/thread.hpp"
#include "schedule/strategy.hpp"

namespace muster {

class Engine;

/// What of it goes back with the execution.
struct ReducedExecutionState {
  std::uint64_t given_up_ = 0;   // threads that repeat themselves
  std::uint64_t retried_ = 0;    // those of them that could go on, but show nothing new
  std::uint64_t overtaken_ = 0;  // those of them that something was written for since
  std::uint64_t turning_ = 0;    // threads that read something since they were where they may come back to
  std::uint64_t known_ = 0;      // under symmetry: threads that made their debut
  std::uint64_t debutants_ = 0;  // those that wait with it
  std::uint32_t begun_ = 0;      // transitions so far
  /// An execution that seems to repeat itself is run on without reduction, to see what comes of it.
  enum class RunsOn : std::uint8_t {
    no,
    given_up,  // all that could step were given up: they should repeat themselves for ever
    circle,    // everything is as it was before: other executions show what else the threads may do from there
  };
  RunsOn runs_on_ = RunsOn::no;
  bool answered_since_ = false;  // an operation returned after that
};

class ReducedExecution : private ReducedExecutionState {
 public:
  explicit ReducedExecution(Engine& engine) : engine_(engine) {}

  bool reducing() const { return reducing_; }
  /// Whether the reducer is told what the running thread does.
  bool is_reported() const { return reported_; }

  /// What the running transition touches.
  void touches(const Access& access) {
    if (reported_ || weak_) [[unlikely]]
      report(access);
  }
  /// It reads a value and changes nothing.
  void reads(ObjectId object, std::size_t size, std::uint64_t value) {
    if (reported_ || weak_) [[unlikely]]
      report_read(object, size, value);
  }
  /// A plain access, which tells whether an attempt saw, or left, anything.
  void plain(std::uintptr_t address, std::size_t size, bool write) {
    if (reported_) [[unlikely]]
      note_plain(address, size, write);
  }
  /// A read of an atomic that has older values: who keeps those knows already.
  void read_atomic(ObjectId object, std::size_t size, std::uint64_t value, bool is_newest) {
    if (!reported_) return;
    report_value(object, size, value);
    if (!is_newest) overtaken_ |= bit_of_current();
  }
  void wrote_atomic(ObjectId object, std::size_t size, bool changes);
  void takes(MessageName message) {
    if (reported_) reducer_->takes(message);
  }
  /// The running thread tried to exchange a value in vain.
  void exchange_failed();
  /// It was told something, or did what others can notice.
  void notice(std::uint64_t what);
  /// It slept, which only those notice who look at the clock.
  void sleeps();
  /// What follows is a transition of its own: whether it happens can depend on what the last one saw.
  void begin_another() {
    if (reported_) [[unlikely]]
      part();
  }
  /// To be called when all is over but for what the running thread does to the end: that concerns nobody any more.
  void stop_reporting();

  /// Which threads this execution takes for the same.
  Symmetry symmetry() const { return reducing_ ? reducer_->symmetry() : Symmetry::none; }
  /// The thread makes the same calls as `other`, the last one before it that does; the first of its kind is alike
  /// itself.
  static void make_alike(Thread& thread, ThreadId other) { thread.comes_after = other; }

 private:
  friend class Engine;
  friend class GoingBack;
  friend class Blocking;
  using State = ReducedExecutionState;

  // ---- for the engine ----

  /// Another execution, which begins at its start or goes back to a later point.
  void enter(Reducer* reducer, bool serial) {
    reducer_ = reducer;
    reported_ = reducing_ = reducer && !serial;
  }
  void start() { static_cast<State&>(*this) = {}; }
  void spawned(Thread& thread);
  void begin(Thread& thread) {
    if (reported_) [[unlikely]]
      begin_reported(thread);
  }
  /// Points of an execution that is reduced, after the running thread stepped.
  void point(EventKind kind, SiteId site, bool may_switch);
  void repeatable_point(EventKind kind, SiteId site, ObjectId read, std::uint64_t value, bool may_switch);
  /// The running thread returns from a call.
  void returns(std::uint32_t operation, std::span<const std::byte> answer);
  /// Threads were given up, or wait under symmetry: they are not stuck.
  bool hides_threads() const { return (given_up_ | debutants_) != 0; }
  /// Nobody else can step: the execution ends, or runs on to see what comes of it.
  void only_hidden_threads_left();
  Ending end(Ending ending);
  void pass(Tape& tape);

  // ---- what is reported ----

  void begin_reported(Thread& thread);
  void part();
  void report(const Access& access);
  void report_read(ObjectId object, std::size_t size, std::uint64_t value);
  void report_value(ObjectId object, std::size_t size, std::uint64_t value);
  void note_plain(std::uintptr_t address, std::size_t size, bool write);
  std::uint64_t bit_of_current() const;
  void tell(const Access& access);
  void overtakes(const Access& access);
  void report_waiting();
  void wipe_stack();
  bool is_on_its_own() const;
  bool may_stop() const;
  void stop();
  bool stops();
  [[noreturn, gnu::cold, gnu::noinline]] void start_late();

  // ---- attempts that fail, threads that repeat themselves: reduced_execution_in_vain.cpp ----

  void begin_attempt(SiteId site);
  void look_for_retry(SiteId site, std::uint64_t answer);
  void look_for_return(SiteId site);
  std::uint64_t state_at(SiteId site);
  void settle_retry();
  void look_for_repetition(SiteId site);
  bool sleeps_in_vain();
  void give_up(Thread& thread);

  // ---- executions that go round: reduced_execution_circles.cpp ----

  void look_for_circle();
  void look_for_circle_at_release();
  void run_on(RunsOn why);
  Ending end_of_run_on(Ending ending);

  // ---- threads alike: reduced_execution_symmetry.cpp ----

  bool comes_to_debut(EventKind kind);
  void makes_debut();

  Engine& engine_;
  Reducer* reducer_ = nullptr;  // if the search is reduced
  bool reducing_ = false;
  bool reported_ = false;    // to the reducer, what the running thread does; false once nothing can concern it any more
  bool weak_ = false;        // with older values, to which it matters what conflicts
  bool heads_grew_ = false;  // since the last execution began
  KeySet loop_heads_;        // places that a thread came back to after a failed attempt
};

}  // namespace muster
