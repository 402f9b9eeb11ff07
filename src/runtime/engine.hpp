#pragma once
// One controlled execution after another: model threads, points, switching, blocking. What is visible to other threads
// goes through here; the compiler hooks and interposers of `instrument` are thin callers.

#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/hash.hpp"
#include "base/incident.hpp"
#include "base/key_table.hpp"
#include "base/tape.hpp"
#include "fiber/context.hpp"
#include "memory/arena.hpp"
#include "memory/race_detector.hpp"
#include "reduction/reducer.hpp"
#include "runtime/control.hpp"
#include "runtime/doubted_writes.hpp"
#include "runtime/execution.hpp"
#include "runtime/lasting_data.hpp"
#include "runtime/observer.hpp"
#include "runtime/program.hpp"
#include "runtime/racy_sites.hpp"
#include "runtime/restore.hpp"
#include "runtime/savepoint.hpp"
#include "runtime/test_heap.hpp"
#include "runtime/thread.hpp"
#include "runtime/user_state.hpp"
#include "schedule/strategy.hpp"

namespace muster {

class Engine final : private RaceListener, private ExecutionState {
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
  /// Whether this process exists for executions only: then the kernel may be told to stop it from sleeping.
  bool in_worker() const { return in_worker_; }
  void set_in_worker() { in_worker_ = true; }

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
    if (nobody_else_can_step() && steps_ - last_write_ < reads_unasked && !told_ && !watch_events_) {
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
    if (saves_ && !Arena::contains(object)) [[unlikely]]
      look_outside(object);
    last_change_ = steps_;
    made_progress(object);
  }

  /// An atomic access or fence with this order is made here: one that is weaker than what executions explore is
  /// remembered.
  [[gnu::always_inline]] void ask_for(Order order, SiteId site) {
    if (is_known(order, site)) return;
    const auto low = static_cast<std::uint32_t>(site);
    known_weak_orders_[low % std::size(known_weak_orders_)] = low;
    if (weak_orders) weak_orders->insert(low);
  }

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

  /// What the running transition touches, told to strategies that ask for it.
  void access(ObjectId object, std::size_t size, AccessMode mode, bool blocking = false, bool enabling = false,
              bool alternative = false, bool counted = false) {
    if (!told_) [[likely]]
      return;
    if (object != objects::free_switch) notice(mix(object, static_cast<std::uint64_t>(mode)));
    tell_accessed({object, static_cast<std::uint32_t>(size), mode, blocking, enabling, counted, alternative});
  }
  /// It takes one of something that is counted, puts one back or sets how many there are: so many are left.
  void counted_access(ObjectId object, std::int32_t left, bool takes, bool blocking, bool enabling) {
    if (!told_) [[likely]]
      return;
    notice(mix(object, static_cast<std::uint64_t>(AccessMode::write)));
    tell_accessed({.object = object,
                   .mode = AccessMode::write,
                   .blocking = blocking,
                   .enabling = enabling,
                   .counted = takes,
                   .left = left});
  }
  /// The running transition reads a value and changes nothing.
  void read_access(ObjectId object, std::size_t size, std::uint64_t value) {
    if (!told_) [[likely]]
      return;
    const OwnWork work;
    current_->attempt.read(object, size, value, true);
    tell_accessed({.object = object, .size = static_cast<std::uint32_t>(size)});
  }
  /// It writes: perhaps only what was there already, and then nobody who waits can go on because of it.
  void write_access(ObjectId object, std::size_t size, bool changes) {
    if (!told_) [[likely]]
      return;
    notice(mix(object, static_cast<std::uint64_t>(AccessMode::write)));
    tell_accessed(
        {.object = object, .size = static_cast<std::uint32_t>(size), .mode = AccessMode::write, .changes = changes});
  }
  /// The running thread tried to exchange a value in vain.
  void failed_exchange() {
    if (told_) [[unlikely]]
      current_->attempt.fail();
  }
  /// Under reduction: the running thread was told something, or did what others can notice.
  void notice(std::uint64_t what) {
    if (told_) [[unlikely]]
      current_->attempt.notice(what);
  }
  bool reducing() const { return reducing_; }
  /// Under reduction what follows is a transition of its own: whether it happens can depend on what the last one saw.
  void transition_point() {
    if (!told_) [[likely]]
      return;
    current_->attached = false;
    reduced_point();
  }
  /// To be called when all is over but for what the running thread does to the end: that concerns nobody any more.
  void stop_telling() {
    if (told_ && races_.alone() && manners_.begins_again && may_fall_silent()) fall_silent();
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

  /// Which threads this execution takes for the same.
  Symmetry symmetry() const { return reducing_ ? reducer_->symmetry() : Symmetry::none; }
  /// The thread makes the same calls as `other`, the last one before it that does; the first of its kind is alike
  /// itself.
  void make_alike(Thread& thread, ThreadId other) { thread.comes_after = other; }

  /// Somebody waited for the thread's end; nobody may any more.
  void was_joined(ThreadId id) { joined_ |= std::uint64_t{1} << id; }
  void detach(ThreadId id) { detached_ |= std::uint64_t{1} << id; }
  bool can_be_joined(ThreadId id) const { return ((joined_ | detached_) >> id & 1) == 0; }

  /// Thread 0 will wait for this thread, among others, in `join_all`: once for all of them.
  void join_later(Thread& thread) { awaited_ |= std::uint64_t{1} << thread.id; }
  void join_all();
  /// To be called when the running thread has waited for another one's end.
  void look_whether_alone();

  /// The running thread cannot go on until somebody calls `unblock`; with a deadline it may expire instead. False if it
  /// expired.
  bool block(EventKind why, ObjectId on, const std::uint64_t* deadline = nullptr);
  void unblock(ThreadId id);
  /// What a blocked thread waits for is there, but now it waits for something else, without a deadline.
  void block_instead(ThreadId id, EventKind why, ObjectId on);
  /// A thread that is about to take something cannot any more: somebody else was faster.
  void reblock(ThreadId id);
  /// The running thread arrives at an event that cannot happen now: it will block, so this is no point.
  void arrive_blocked(EventKind kind, ObjectId object, SiteId site) { step(kind, object, site); }

  /// `object` changed in a way that only threads polling it can notice (a lock was released): the running thread made
  /// no progress by it.
  void changed(ObjectId object) {
    if (held_back_) [[unlikely]]
      release_dependents(object);
  }

  // ---- marks ----
  void mark(std::uint32_t operation, Mark mark, std::span<const std::byte> bytes);

  // ---- memory and time ----
  RaceDetector& races() { return races_; }
  TestHeap& heap() { return heap_; }
  Arena& arena() { return arena_; }
  std::byte* allocate(std::size_t size, std::size_t alignment, Allocator allocator, SiteId site);
  void deallocate(void* address, Allocator allocator, SiteId site);
  [[noreturn, gnu::cold, gnu::noinline]] void cannot_free(void* address, Allocator allocator,
                                                          const TestHeap::Block* block, SiteId site);
  /// Nearly all of them, in few instructions, for the hooks; false: it is not one of those, and `plain` shall look at
  /// it.
  [[gnu::always_inline]] bool plain_quickly(std::uintptr_t address, std::size_t size, bool write, SiteId site) {
    if (!racy_sites_.empty() || told_) [[unlikely]]
      return false;
    if (races_.is_private(address)) return true;
    if (!Arena::in_heap(address) || (write && (held_back_ != 0 || is_doubtful())) || !options_.races) return false;
    if (!races_.plain_on_heap(address, size, write, site)) [[unlikely]]
      return false;
    if (write) made_progress_alone();
    return true;
  }
  void plain(std::uintptr_t address, std::size_t size, bool write, SiteId site) {
    if (!racy_sites_.empty()) [[unlikely]]
      plain_point(address, size, write, site);
    if (options_.races) races_.plain(address, size, write, site);
    if (told_) [[unlikely]]
      note_plain(address, size, write);
    if (write && !Arena::in_stack_of(current_->id, address)) wrote_plain(address, size);
  }
  bool is_stack_or_global(const void* address) const;
  std::uint64_t look_at_clock(SiteId site);
  std::uint64_t now() {
    transition_point();
    access(objects::clock, 1, AccessMode::read);
    return clock_;
  }
  void advance_clock_to(std::uint64_t time);

  /// Whether a spurious failure shall happen here, if such were asked for.
  bool fails_spuriously() { return options_.spurious_failures > 0 && decide_to_fail_spuriously(); }

  // ---- endings ----
  [[noreturn, gnu::noinline]] void end(Ending ending);
  void incident(Incident& incident);                                      // tells the observer
  [[noreturn, gnu::cold, gnu::noinline]] void fatal(Incident& incident);  // and ends the execution
  [[noreturn, gnu::cold, gnu::noinline]] void fatal(IncidentKind kind, SiteId site, std::string_view message);

  /// The same for a crash: what else it has spoilt is not known.
  [[noreturn, gnu::cold]] void outlive(Incident& crash) {
    outlived_crash_ = true;
    fatal(crash);
  }
  bool outlived_crash() const { return outlived_crash_; }

  /// For signal handlers: the process will not survive this.
  void note_fault(SiteId site, std::uint64_t address) {
    journal_.fault_site = site;
    journal_.fault_address = address;
  }
  void note_escaped_call(SiteId site, long call) {
    journal_.fault_site = site;
    journal_.escaped_call = call;
  }

  /// Called at the start of every execution: tables kept by address elsewhere are cleared there.
  void at_start(void (*reset)()) { resets_.push_back(reset); }
  /// State that belongs to an execution but is kept elsewhere, as a hash.
  void add_state(std::uint64_t (*hash)()) { state_hashes_.push_back(hash); }

  /// Executions may begin where they part from the one before, instead of at their start: everything they can change is
  /// put back.
  void allow_going_back() { can_go_back_ = true; }
  /// Something happened in this execution that cannot be taken back: from now on all begin at their start.
  void left_traces();
  void add_rewindable(const Rewindable& state) { rewindables_.push_back(state); }

  ContextPool& contexts() { return contexts_; }
  /// Everything that is restored before each execution.
  Restorer& restorer() { return restorer_; }
  LastingData& lasting_data() { return lasting_data_; }
  std::uint32_t execution_number() const { return execution_number_; }

 private:
  struct SeenState {
    std::uint64_t hash;
    std::uint64_t writes;       // visible ones, made by then
    std::uint32_t transitions;  // begun by then
    std::uint32_t events[max_threads];
    std::uint32_t unblocked[max_threads];
  };

  /// The same where nobody is held back.
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
    if (saves_ && !Arena::contains(address)) [[unlikely]]
      look_outside(address);
    made_progress(address);
  }
  void doubt(std::uintptr_t address, std::size_t size);
  void settle_doubts();
  bool is_known(Order order, SiteId site) const {
    const auto low = static_cast<std::uint32_t>(site);
    return order == Order::seq_cst || known_weak_orders_[low % std::size(known_weak_orders_)] == low;
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
  void reduced_repeatable_point(EventKind kind, SiteId site, ObjectId read, std::uint64_t value, bool may_switch);
  void begin_transition(Thread& thread);
  void look_for_repetition(SiteId site);
  void look_for_circle();
  void run_on(RunsOn why);
  Ending end_of_run_on(Ending ending);
  void tell_accessed(const Access& access);
  void note_plain(std::uintptr_t address, std::size_t size, bool write);
  std::uint64_t state_of(Thread& running, Lens lens = Lens::all);
  bool comes_to_debut(EventKind kind);
  void makes_debut();
  bool is_on_its_own() const;
  bool may_fall_silent() const { return !racy_sites_.starts_late() && !watch_events_ && !options_.planned; }
  /// All that is left of the execution goes on as in a plain search, untold.
  void fall_silent() {
    told_ = false;
    is_plain_ = true;
  }
  bool falls_silent();
  [[noreturn, gnu::cold, gnu::noinline]] void start_late();
  void begin_attempt(SiteId site);
  void look_for_retry(SiteId site, std::uint64_t answer);
  void look_for_return(SiteId site);
  std::uint64_t state_at(SiteId site);
  void settle_retry();
  void give_up(Thread& thread);
  void wipe_stack();
  void tell_waiting();
  void spin_point();
  void run_away(bool held_back);
  ThreadId decide_who(std::uint64_t candidates);
  void plain_point(std::uintptr_t address, std::size_t size, bool write, SiteId site);
  void show(EventKind kind, std::uintptr_t address, SiteId site);
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
  void enter(const Program& program, Strategy& strategy, Observer& observer);
  Execution leave();
  void start_execution(const Program& program);
  void prepare_going_back();
  bool go_back();
  void expect_savepoint();
  bool begin_savepoint(Cost cost, Savepoint::Kind kind);
  static void copy_to_tape(void* self);
  void decide_for_running(bool may_stay);
  bool worth_saving(Cost cost) const;
  std::size_t size_to_save() const;
  void look_outside(std::uintptr_t address);
  void pass(Tape& tape);
  void pass_attempts(Tape& tape);
  template <class Strip>
  static void pass_stack(Strip& strip, Context& context);
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

  void race(std::uintptr_t, ThreadId, const EarlierAccess&, SiteId, bool, const std::optional<PossibleLink>&) override;
  void use_after_free(std::uintptr_t, ThreadId, std::uint32_t, SiteId) override;
  void out_of_bounds(std::uintptr_t, SiteId) override;
  void stack_is_shared(ThreadId owner) override;
  void outside_is_written() override;
  bool adopt(std::uintptr_t, Cell&) override;

  KeySet loop_heads_;                   // places that a thread came back to after a failed attempt
  bool heads_grew_ = false;             // since the last execution began
  std::vector<SeenState> seen_states_;  // of a long execution, to notice that it goes round in circles
  std::uint32_t execution_number_ = 0;

  // Going back: engine_rewind.cpp.
  std::vector<Savepoint> savepoints_;  // along the schedule
  Tape tape_;
  Traversal::Return returns_;
  bool saves_ = false;  // savepoints are made in this execution
  static constexpr std::uint32_t never = ~std::uint32_t{0};
  std::uint32_t save_from_ = never;  // the step from which on the next one is worth it
  bool can_go_back_ = false;         // nothing stands against it so far
  bool outlived_crash_ = false;
  unsigned since_start_ = 0;  // executions since the last that began at its start
  std::vector<Rewindable> rewindables_;

  RuntimeOptions options_;
  Journal& journal_;
  RacySites& racy_sites_;
  Arena arena_;
  ContextPool contexts_;
  RaceDetector races_;
  TestHeap heap_;
  DoubtedWrites doubted_;  // of the running thread, since its last point
  Restorer restorer_;
  LastingData lasting_data_;
  std::vector<void (*)()> resets_;
  std::vector<std::uint64_t (*)()> state_hashes_;
  std::uint32_t known_weak_orders_[256] = {};  // a cache before the shared set
  std::uint64_t (*thread_state_)(unsigned) = nullptr;
  Strategy* strategy_ = nullptr;
  Strategy::Manners manners_;   // its
  Reducer* reducer_ = nullptr;  // if the search is reduced
  Observer* observer_ = nullptr;
  bool watch_events_ = false;
  bool takes_first_ = false;  // the strategy takes the first option of every new point: it need not be asked
  bool reducing_ = false;
  bool told_ = false;      // under reduction: the strategy, what the running thread does; false after it fell silent
  bool is_plain_ = false;  // the execution: not reduced, or silent; nor serial, planned or watched
  bool in_worker_ = false;
  Event next_[max_threads];
  Thread threads_[max_threads];
};

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
