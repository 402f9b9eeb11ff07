#pragma once
// One controlled execution after another: model threads, points, switching, spinning, endings. What is visible to other
// threads goes through here; the compiler hooks and interposers of `instrument` are thin callers. Its parts have
// headers of their own: transitions under reduction, what blocks, time, the heap, and what executions go back to.

#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include "base/incident.hpp"
#include "fiber/context.hpp"
#include "memory/arena.hpp"
#include "memory/race_detector.hpp"
#include "runtime/blocking.hpp"
#include "runtime/control.hpp"
#include "runtime/doubted_writes.hpp"
#include "runtime/execution.hpp"
#include "runtime/going_back.hpp"
#include "runtime/observer.hpp"
#include "runtime/program.hpp"
#include "runtime/program_heap.hpp"
#include "runtime/race_reports.hpp"
#include "runtime/racy_sites.hpp"
#include "runtime/reduced_execution.hpp"
#include "runtime/surroundings.hpp"
#include "runtime/thread.hpp"
#include "runtime/user_state.hpp"
#include "runtime/virtual_time.hpp"
#include "runtime/weak_memory.hpp"
#include "schedule/strategy.hpp"

namespace muster {

class Engine final : private ExecutionState {
  // While nobody else could step it matters little whether a thread spins: so many reads without a write it may make
  // before that is asked.
  static constexpr std::uint32_t reads_unasked = 64, doubtful_after = 256;

 public:
  Engine(const RuntimeOptions& options, Journal& journal, RacySites& racy_sites, ContextMode mode);

  /// In place, not a function: where it went on to return is forgotten by the processor while threads run.
  [[gnu::always_inline]] Execution execute(const Program& program, Strategy& strategy, Observer& observer) {
    enter(program, strategy, observer);
    Context::switch_to(contexts_.host(), *current_->context);
    return leave();
  }

  void set_options(const RuntimeOptions& options) {
    options_ = options;
    journal_.serial = options.serial;
  }
  const RuntimeOptions& options() const { return options_; }

  // ---- points ----

  /// The running thread is about to do something visible. Others may come first.
  void point(EventKind kind, ObjectId object, SiteId site) {
    if (nobody_else_can_step() && is_plain_) {
      count_step(kind, object, site);
      if (!std::exchange(current_->attached, false)) current_->woken = false;
    } else {
      deciding_point(kind, object, site);
    }
  }
  /// The same for a read that may be one turn of a loop that waits for somebody else's write.
  [[gnu::always_inline]] void reading_point(EventKind kind, ObjectId object, SiteId site, std::uint64_t value) {
    if (nobody_else_can_step() && steps_ - last_write_ < reads_unasked && !reduction_.reported_ && !watch_events_) {
      count_step(kind, object, site);
      current_->attached = current_->woken = false;
    } else {
      repeatable_point(kind, object, site, object, value);
    }
  }
  /// The same for taking a lock: a loop that takes and releases one waits for what the lock protects, so for any write.
  void locking_point(EventKind kind, ObjectId object, SiteId site) { repeatable_point(kind, object, site, 0, object); }
  void yield_point(EventKind kind, SiteId site);
  /// Plain accesses at this place shall be points: if they are not yet, this execution is over, and the next one knows.
  void want_point(SiteId site);
  /// A number below `count`, as a decision.
  unsigned choose(PointKind kind, unsigned count);

  /// The running thread changed `object`: it is not spinning, and whoever waits for such a change may go on.
  [[gnu::always_inline]] void wrote(ObjectId object) {
    if (going_back_.saves_ && !Arena::contains(object)) [[unlikely]]
      going_back_.look_outside(object);
    last_change_ = steps_;
    made_progress(object);
  }

  // ---- threads ----

  Thread& current() { return *current_; }
  /// What the running thread does.
  const Event& next_event() const { return next_[current_->id]; }
  Thread& thread(ThreadId id) { return threads_[id]; }
  unsigned thread_count() const { return thread_count_; }
  unsigned preemptions() const { return result_.preemptions; }  // of the execution so far
  bool can_step(ThreadId id) const { return enabled() >> id & 1; }
  Thread& spawn(void* (*start)(void*), void* argument, SiteId site);
  [[noreturn]] void finish_thread(void* result);
  /// The thread belongs to the object under test: in serial executions it steps between and inside operations.
  void make_internal(Thread& thread) {
    thread.internal = true;
    internal_ |= std::uint64_t{1} << thread.id;
  }

  /// `object` changed in a way that only threads polling it can notice (a lock was released): the running thread made
  /// no progress by it.
  void changed(ObjectId object) {
    if (held_back_) [[unlikely]]
      release_dependents(object);
  }

  // ---- marks ----
  void mark(std::uint32_t operation, Mark mark, std::span<const std::byte> bytes);

  // ---- memory ----
  RaceDetector& races() { return races_; }
  /// Whether atomics have older values in this execution, and whether some access took one so far.
  bool has_older_values() const { return weak_; }
  WeakMemory& older_values() { return weak_memory_; }
  bool took_older_value() const { return weak_ && weak_memory_.older_choices() > 0; }

  /// Whether a spurious failure shall happen here, if such were asked for.
  bool fails_spuriously() { return options_.spurious_failures > 0 && decide_to_fail_spuriously(); }

  // ---- endings ----
  [[noreturn, gnu::noinline]] void end(Ending ending);
  /// The same with a finding.
  [[noreturn, gnu::cold, gnu::noinline]] void fatal(Incident& incident);
  [[noreturn, gnu::cold, gnu::noinline]] void fatal(IncidentKind kind, SiteId site, std::string_view message);

  /// The same for a crash: what else it has spoilt is not known.
  [[noreturn, gnu::cold]] void outlive(Incident& crash) {
    outlived_crash_ = true;
    fatal(crash);
  }
  bool outlived_crash() const { return outlived_crash_; }

  /// What is written there survives this process.
  Journal& journal() { return journal_; }
  std::uint32_t execution_number() const { return execution_number_; }

  // ---- parts ----
  ReducedExecution& reduction() { return reduction_; }
  Blocking& blocking() { return blocking_; }
  VirtualTime& time() { return time_; }
  ProgramHeap& heap() { return heap_; }
  GoingBack& going_back() { return going_back_; }
  Surroundings& surroundings() { return surroundings_; }
  ContextPool& contexts() { return contexts_; }

 private:
  friend class Blocking;
  friend class GoingBack;
  friend class Memory;
  friend class ProgramHeap;
  friend class RaceReports;
  friend class ReducedExecution;
  friend class VirtualTime;
  friend class WeakMemory;

  struct SeenState {
    std::uint64_t hash;
    std::uint64_t writes;       // visible ones, made by then
    std::uint32_t transitions;  // begun by then
    std::uint32_t events[max_threads];
    std::uint32_t unblocked[max_threads];
  };

  /// Whether an observer wants to know everything: only replays have one that does.
  bool is_watched() const { return is_watched_; }
  [[gnu::cold, gnu::noinline]] void tell_values(const AccessValues& values) { observer_->values(values); }

  /// An atomic access or fence is made here: where its order is a weak one is remembered.
  [[gnu::always_inline]] void ask_for(Order order, SiteId site) {
    if (!is_known(order, site)) meet_weak_order(site);
  }
  [[gnu::cold, gnu::noinline]] void meet_weak_order(SiteId site);

  /// Where executions have older values, atomic accesses go through this; else null.
  WeakMemory* weak_memory() { return weak_ ? &weak_memory_ : nullptr; }
  bool must_see_newest();  // as the running thread spins

  /// All that is to be done about an atomic load, or a store, of a thread that is alone: most of what an execution does
  /// at its end. False: it is not like that, and nothing was done.
  [[gnu::always_inline]] bool load_alone(std::uintptr_t address, unsigned size, Order order, SiteId site) {
    if (!steps_alone(address, size, order, site) || steps_ - last_write_ >= reads_unasked) return false;
    count_step(EventKind::load, address, site);
    current_->attached = current_->woken = false;
    return true;
  }
  [[gnu::always_inline]] bool store_alone(std::uintptr_t address, unsigned size, Order order, SiteId site) {
    if (!steps_alone(address, size, order, site) || !Arena::contains(address) || held_back_ != 0) return false;
    count_step(EventKind::store, address, site);
    if (!std::exchange(current_->attached, false)) current_->woken = false;
    last_change_ = steps_;
    made_progress_alone();
    return true;
  }

  /// The same as `wrote` where nobody is held back.
  void made_progress_alone() {
    current_->spin.reset();
    ++writes_;
    last_write_ = steps_;
  }
  void made_progress(ObjectId object) {
    made_progress_alone();
    if (held_back_) [[unlikely]]
      release_dependents(object);
  }
  /// So long nothing was written but plain memory: it may be a loop that writes the same again in each turn.
  bool is_doubtful() const { return steps_ - last_change_ >= doubtful_after; }
  void wrote_plain(std::uintptr_t address, std::size_t size) {
    if (is_doubtful()) [[unlikely]]
      return doubt(address, size);
    if (going_back_.saves_ && !Arena::contains(address)) [[unlikely]]
      going_back_.look_outside(address);
    made_progress(address);
  }
  void doubt(std::uintptr_t address, std::size_t size);
  void settle_doubts();
  bool is_known(Order order, SiteId site) const {
    const auto low = static_cast<std::uint32_t>(site);
    return order == Order::seq_cst ||
           (!looks_for_weak_orders_ && known_weak_orders_[low % std::size(known_weak_orders_)] == low);
  }
  bool steps_alone(std::uintptr_t address, unsigned size, Order order, SiteId site) const {
    return races_.is_beyond_doubt(address, size) && is_plain_ && nobody_else_can_step() && steps_ < step_limit_ &&
           is_known(order, site);
  }
  bool nobody_else_can_step() const { return (ready_ | timed_) == std::uint64_t{1} << current_->id; }
  void deciding_point(EventKind kind, ObjectId object, SiteId site);
  void repeatable_point(EventKind kind, ObjectId object, SiteId site, ObjectId read, std::uint64_t value);
  [[gnu::always_inline]] void count_step(EventKind kind, ObjectId object, SiteId site) {
    Thread& t = *current_;
    next_[t.id] = {object, site, t.events++, t.id, kind};
    ++journal_.steps;
    if (++steps_ > step_limit_) [[unlikely]]
      end(Ending::cut);
  }
  bool step(EventKind kind, ObjectId object, SiteId site);
  void spin_or_step(SiteId site, ObjectId read, std::uint64_t value, bool may_switch);
  void thread_point(Cost cost);
  void reduced_point();
  std::uint64_t state_of(Thread& running, Lens lens = Lens::all);
  void spin_point();
  void run_away();
  void run_away_held_back();
  ThreadId decide_who(std::uint64_t candidates);
  void show(EventKind kind, std::uintptr_t address, SiteId site);
  void incident(Incident& incident);
  std::uint8_t decide(PointKind kind, Cost cost, std::span<const Option> options);
  std::uint8_t decide_unsaved(PointKind kind, Cost cost, std::span<const Option> options);
  std::uint8_t decide_anew(PointKind kind, Cost cost, std::span<const Option> options, std::uint32_t fingerprint);
  std::uint8_t decide_to_stay(Cost cost, std::uint64_t others);
  std::uint8_t decide_to_stay_anew(Cost cost, std::uint64_t others, std::uint32_t fingerprint);
  void save_and_decide(Cost cost, std::uint64_t others);
  void stay_or_leave(Cost cost, std::uint64_t others);
  static void stay_or_leave_saved(void* self);
  bool decide_to_fail_spuriously();
  std::uint32_t fingerprint(PointKind kind, unsigned count) const;
  std::uint8_t repeat(PointKind kind, Cost cost, unsigned count, std::uint32_t fingerprint);
  void record(PointKind kind, Cost cost, std::uint8_t index, unsigned count, std::uint32_t fingerprint);
  void tell_executed();
  void expire(Thread& thread);
  void leave_for(ThreadId id);
  void make_running(ThreadId id);
  void pass_through_unwatched(const Thread& thread);
  void count_cost(Cost cost) {
    result_.preemptions += cost == Cost::preemption;
    result_.late_yields += cost == Cost::late_yield;
  }
  void nobody_can_run();
  void let_run_alone(std::uint64_t hopeful);
  bool goes_round(unsigned turn);
  std::uint64_t memory_hash() const;
  void check_lasso();
  void take_state(Thread& running);
  std::uint64_t state_hash() const;
  void remember_state();
  void remember(std::uint64_t state);
  unsigned list_fairly(std::uint64_t mask, Option* into);
  void release_dependents(ObjectId object);
  void choose_memory_model();
  /// It only settles a doubt, with choices of its own: what it shows the search finds itself.
  bool is_aside() const { return memory_model_ == MemoryModel::c11_every && !result_.diverged_at; }
  void enter(const Program& program, Strategy& strategy, Observer& observer);
  Execution leave();
  void start_execution(const Program& program);
  [[gnu::cold, gnu::noinline]] void diverged(const char* how);
  static void thread_entry(void* self);
  /// In serial executions nobody calls while an operation is pending; the object's own threads go on.
  std::uint64_t admitted() const {
    return !options_.serial || pending_ == 0 ? ~std::uint64_t{0} : pending_ | internal_;
  }
  std::uint64_t enabled() const {
    const std::uint64_t can_step = ready_ & ~held_back_;
    if (!options_.serial) return can_step | timed_;
    return (can_step | (options_.early_timeouts ? timed_ : 0)) & admitted();
  }
  void look_for_blocked_operations();

  std::vector<SeenState> seen_states_;  // of a long execution, to notice that it goes round in circles
  std::uint32_t execution_number_ = 0;

  RuntimeOptions options_;
  Journal& journal_;
  RacySites& racy_sites_;
  Arena arena_;
  ContextPool contexts_;
  RaceReports race_reports_{*this};
  RaceDetector races_;
  WeakMemory weak_memory_;
  ReducedExecution reduction_;
  Blocking blocking_;
  VirtualTime time_;
  ProgramHeap heap_;
  GoingBack going_back_;
  Surroundings surroundings_;
  DoubtedWrites doubted_;                      // of the running thread, since its last point
  std::uint32_t known_weak_orders_[256] = {};  // a cache before the shared set
  std::uint64_t (*thread_state_)(unsigned) = nullptr;
  Strategy* strategy_ = nullptr;
  Strategy::Manners manners_;  // its
  Observer* observer_ = nullptr;
  bool watch_events_ = false;
  bool is_watched_ = false;   // by the observer
  bool takes_first_ = false;  // the strategy takes the first option of every new point: it need not be asked
  bool is_plain_ = false;     // the execution: nothing is reported to a reducer; nor serial, planned or watched
  bool weak_ = false;         // atomics have older values as well,
  MemoryModel memory_model_ = MemoryModel::sc;  // these
  const MessageName* messages_ = nullptr;       // of the point that is decided
  bool looks_for_weak_orders_ = false;          // they would have, if any order were weak
  bool outlived_crash_ = false;
  Event next_[max_threads];
  Thread threads_[max_threads];
};

inline void ReducedExecution::notice(std::uint64_t what) {
  if (reported_) [[unlikely]]
    engine_.current_->attempt.notice(what);
}

inline void ReducedExecution::exchange_failed() {
  if (reported_) [[unlikely]]
    engine_.current_->attempt.fail();
}

/// What `instrument` adds to a new engine: set when its library is loaded, called once in each worker before the first
/// execution.
extern void (*take_control)(Engine&);

/// Whether code at this place (the low half of its address) belongs to a library that is not watched: what orders its
/// calls is not seen.
extern bool (*is_unwatched)(std::uint32_t site);

/// What `instrument` knows of code that is not watched, where the program can call any; else all of it is null.
struct UnwatchedWorld {
  /// The code that a thread is in, which is at its last event; 0 if it is watched.
  UnwatchedCode (*code_of)(const Thread& thread, SiteId last_event);
  std::string (*name)(UnwatchedCode code);
};
extern const UnwatchedWorld* unwatched_world;

/// The engine of this process, if it explores.
extern Engine* engine;

}  // namespace muster
