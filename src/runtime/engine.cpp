#include "runtime/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <exception>
#include <utility>

#include "base/hash.hpp"
#include "runtime/exceptions.hpp"
#include "runtime/thread_set.hpp"

namespace muster {

Engine* engine = nullptr;
bool controlled = false;
bool test_heap_in_use = true;
volatile char calls_are_noticed = 0;
void (*take_control)(Engine&) = nullptr;
SiteSet* weak_orders = nullptr;

namespace {

constexpr std::uint64_t clock_start = 1'000'000'000'000;  // virtual nanoseconds; far from 0, so that subtracting a little stays positive
constexpr std::uint64_t clock_tick = 1'000;

// A thread that makes so many visible steps in a row while others could step is treated as spinning, whatever it does.
constexpr std::uint32_t long_run = 2'000;

// How much of a stack is wiped before a thread starts, so that what is compared does not hold leftovers.
constexpr std::size_t wiped_at_start = 8192;

// Reduction compares each step with those before it; an execution as long as this one waits in a loop that is not cut.
constexpr std::uint32_t longest_reduced = 4'000;

}  // namespace

Engine::Engine(const RuntimeOptions& options, Journal& journal, RacySites& racy_sites, ContextMode mode)
    : options_(options),
      journal_(journal),
      racy_sites_(racy_sites),
      contexts_(mode, Arena::stacks(), Arena::stack_size),
      races_(arena_, *this) {}

// ---- one execution ----

Execution Engine::execute(const Program& program, Strategy& strategy, Observer& observer) {
  strategy_ = &strategy;
  thread_state_ = program.thread_state;
  observer_ = &observer;
  reducing_ = strategy.reduces() && !options_.serial;
  step_limit_ = reducing_ ? std::min(options_.step_limit, longest_reduced) : options_.step_limit;
  watch_events_ = strategy.watches_events() || observer.watches_events();
  takes_first_ = strategy.takes_first();
  engine = this;
  prepare_going_back();
  if (!go_back()) start_execution(program);
  journal_.in_execution = true;
  calls_are_noticed = saves_;
  Context::switch_to(contexts_.host(), *current_->context);
  calls_are_noticed = 0;
  controlled = false;
  journal_.in_execution = false;
  ++journal_.executions;
  strategy.end_execution(journal_.schedule, result_.ending);
  return result_;
}

void Engine::start_execution(const Program& program) {
  restorer_.restore();
  ++execution_number_;
  given_up_ = retried_ = overtaken_ = 0;
  ready_ = timed_ = held_back_ = pending_ = internal_ = awaited_ = 0;
  steps_ = position_ = 0;
  replayed_ = journal_.schedule.size();
  thread_count_ = unfinished_ = 0;
  spurious_left_ = options_.spurious_failures;
  clock_ = clock_start;
  clock_step_ = clock_tick;
  writes_ = 0;
  last_write_ = 0;
  alone_ = no_thread;
  seen_states_.clear();
  result_ = {};
  current_ = nullptr;
  heap_.begin_execution(options_.heap);
  RaceDetector::Assumptions assumptions;
  if (options_.races && strategy_->prunes()) {  // only a search that starts again when it learns something may assume the best
    assumptions = {.private_stacks = ~racy_sites_.shared_stacks(), .constant_outside = !racy_sites_.outside_is_written()};
  }
  races_.begin_execution(1, options_.races, assumptions);
  for (const auto& reset : resets_) reset();
  struct Start {
    static void* run(void* program) {
      static_cast<const Program*>(program)->body(static_cast<const Program*>(program)->argument);
      return nullptr;
    }
  };
  Thread& main = spawn(Start::run, const_cast<Program*>(&program), 0);
  current_ = &main;
  races_.run(main);
  journal_.running = main.id;
  begin_transition(main);
}

void Engine::end(Ending ending) {
  controlled = false;
  if (position_ < replayed_ && ending != Ending::incident && ending != Ending::abandoned) {
    Incident difference{.kind = IncidentKind::not_reproducible, .place = {}, .earlier = {}};
    difference.say(fmt::format("the execution ended after {} of {} recorded decisions", position_, replayed_));
    observer_->incident(difference);
    ending = Ending::incident;
  }
  result_.ending = ending;
  if (reducing_) tell_waiting();
  Context::switch_to(*current_->context, contexts_.host());
  __builtin_unreachable();
}

void Engine::incident(Incident& incident) {
  if (incident.place.thread == no_thread) incident.place.thread = current_->id;
  observer_->incident(incident);
}

void Engine::fatal(Incident& what) {
  controlled = false;
  incident(what);
  end(Ending::incident);
}

void Engine::fatal(IncidentKind kind, SiteId site, std::string_view message) {
  Incident what{.kind = kind, .place = {.site = site, .thread = current_->id, .kind = next_[current_->id].kind}, .earlier = {}};
  what.say(message);
  fatal(what);
}

// ---- decisions ----

/// What tells one point from another within this process, so that an execution that is not reproducible is noticed.
std::uint32_t Engine::fingerprint(PointKind kind, unsigned count) const {
  const ThreadId running = current_->id;
  std::uint64_t mixed = mix(next_[running].site ^ (std::uint64_t{steps_} << 32), (std::uint64_t{running} << 8) ^ count);
  if (kind == PointKind::thread) mixed ^= enabled() * 0x9e3779b97f4a7c15;
  return static_cast<std::uint32_t>(mixed >> 16) | 1;
}

std::uint8_t Engine::repeat(PointKind kind, Cost cost, unsigned count, std::uint32_t fingerprint) {
  Decision& recorded = journal_.schedule[position_++];
  if (recorded.kind != kind || recorded.count != count || recorded.cost != cost) [[unlikely]] diverged("other options");
  if (recorded.fingerprint != fingerprint) [[unlikely]] {
    if (recorded.fingerprint != 0) diverged("another point");
    recorded.fingerprint = fingerprint;  // read from text: from now on it is known
    recorded.running = current_->id;
  }
  return recorded.index;
}

void Engine::record(PointKind kind, Cost cost, std::uint8_t index, unsigned count, std::uint32_t fingerprint) {
  const auto options = static_cast<std::uint8_t>(count);
  journal_.schedule.push({kind, cost, index, options, options, current_->id, reducing_, 0, fingerprint});
  ++position_;
}

std::uint8_t Engine::decide(PointKind kind, Cost cost, std::span<const Option> options) {
  if (saves_) consider_saving(cost);
  const auto count = static_cast<unsigned>(options.size());
  const std::uint32_t print = fingerprint(kind, count);
  if (position_ < replayed_) return repeat(kind, cost, count, print);
  if (journal_.schedule.full()) [[unlikely]] end(Ending::cut);
  std::uint8_t index = 0;
  if (!takes_first_) {
    const bool was_controlled = std::exchange(controlled, false);  // what the strategy allocates is not the program's
    index = strategy_->decide({kind, cost, current_->id, options, next_});
    controlled = was_controlled;
    if (index == Strategy::abandon) end(Ending::abandoned);
  }
  record(kind, cost, index, count, print);
  return index;
}

/// The options are the running thread, then `others`. They are listed only for a strategy that looks at them: most points of a
/// depth-first search repeat a decision or take the first option.
std::uint8_t Engine::decide_to_stay(Cost cost, std::uint64_t others) {
  if (saves_) consider_saving(cost);
  const unsigned count = 1 + static_cast<unsigned>(std::popcount(others));
  if (position_ < replayed_) return repeat(PointKind::thread, cost, count, fingerprint(PointKind::thread, count));
  Option options[max_threads];
  options[0] = current_->id;
  if (!takes_first_) list(others, options + 1);
  return decide(PointKind::thread, cost, {options, count});
}

void Engine::diverged(const char* how) {
  fatal(IncidentKind::not_reproducible, next_[current_->id].site,
        fmt::format("decision {} of {} met {} than when it was recorded (thread {}, {})", position_, replayed_, how,
                    current_->id, name(next_[current_->id].kind)));
}

unsigned Engine::choose(PointKind kind, unsigned count) {
  if (count <= 1) return 0;
  // A decision prints as one base-62 digit: larger ranges are chosen digit by digit.
  constexpr unsigned most = 61;
  if (count > most) {
    const unsigned high = choose(kind, (count + most - 1) / most);
    return high * most + choose(kind, std::min(most, count - high * most));
  }
  Option options[most];
  for (unsigned i = 0; i < count; ++i) options[i] = static_cast<Option>(i);
  const unsigned chosen = decide(kind, Cost::free, {options, count});
  notice(chosen);
  return chosen;
}

bool Engine::fails_spuriously() {
  if (options_.spurious_failures > 0) access(objects::spurious_failures, 1, AccessMode::write);
  if (spurious_left_ == 0 || choose(PointKind::value, 2) == 0) return false;
  --spurious_left_;
  return true;
}

// ---- points ----

bool Engine::step(EventKind kind, ObjectId object, SiteId site) {
  Thread& t = *current_;
  next_[t.id] = {object, site, t.events++, t.id, kind};
  ++journal_.steps;
  if (++steps_ > step_limit_) [[unlikely]] end(Ending::cut);
  if (t.attached) {
    t.attached = false;
    if (!options_.planned) return false;
  }
  return !options_.serial || kind == EventKind::call || internal_ != 0;
}

/// In serial executions nobody calls while an operation is pending; the object's own threads go on.
std::uint64_t Engine::admitted() const { return !options_.serial || pending_ == 0 ? ~std::uint64_t{0} : pending_ | internal_; }

std::uint64_t Engine::enabled() const {
  const std::uint64_t can_step = ready_ & ~held_back_;
  if (!options_.serial) return can_step | timed_;
  return (can_step | (options_.early_timeouts ? timed_ : 0)) & admitted();
}

void Engine::thread_point(Cost cost) {
  if (reducing_) return reduced_point();
  Thread& t = *current_;
  const std::uint64_t others = enabled() & ~bit(t.id);
  if (std::exchange(t.woken, false)) cost = Cost::free;
  if (others == 0) return;
  if (++t.run_length > long_run && !options_.planned) [[unlikely]] {
    t.run_length = 0;
    while (t.spin.iterations() <= options_.spin_budget) t.spin.iterate();
    return spin_point();
  }
  const std::uint8_t index = decide_to_stay(cost, others);
  if (index == 0) return;
  result_.preemptions += cost == Cost::preemption;
  result_.late_yields += cost == Cost::late_yield;
  leave_for(member(others, index - 1u));
}

void Engine::point(EventKind kind, ObjectId object, SiteId site) {
  const bool may_switch = step(kind, object, site);
  if (reducing_) [[unlikely]] {
    begin_attempt(site);
    if (kind == EventKind::store || kind == EventKind::write) look_for_retry(site, 0);
  }
  // In a serial execution calls take turns; only the object's own threads, which step inside operations too, preempt anybody.
  if (may_switch) thread_point(options_.serial && kind == EventKind::call ? Cost::free : Cost::preemption);
  if (watch_events_) tell_executed();
  if (reducing_) [[unlikely]] wipe_stack();
}

void Engine::repeatable_point(EventKind kind, ObjectId object, SiteId site, ObjectId read, std::uint64_t value) {
  const bool may_switch = step(kind, object, site);
  if (reducing_) {
    begin_attempt(site);
    if (kind == EventKind::rmw) look_for_retry(site, 0);
    if (read == 0) {
      current_->spin.reset();  // a lock that was taken is something others can have seen
    } else if (current_->spin.repeats(site, read, value)) {
      access(objects::free_switch, 1, AccessMode::read);
      look_for_repetition(site);
    }
    if (may_switch) reduced_point();
    if (watch_events_) tell_executed();
    wipe_stack();
    return;
  }
  if (may_switch || options_.serial) {  // a serial execution may spin for ever, too
    if (!options_.planned && current_->spin.repeats(site, read, value)) [[unlikely]] {
      spin_point();
    } else if (may_switch) {
      thread_point(Cost::preemption);
    }
  }
  if (watch_events_) tell_executed();
}

void Engine::tell_executed() {
  const Event& event = next_[current_->id];
  strategy_->executed(event);
  observer_->event(event);
}

void Engine::want_point(SiteId site) {
  if (!racy_sites_.insert(static_cast<std::uint32_t>(site))) return;
  result_.learned = true;
  end(Ending::abandoned);
}

// ---- threads ----

void Engine::expire(Thread& t) {
  timed_ &= ~bit(t.id);
  ready_ |= bit(t.id);
  t.status = Thread::Status::ready;
  t.expired = true;
  result_.expired = true;
  advance_clock_to(t.deadline);
}

void Engine::leave_for(ThreadId id) {
  Thread& from = *current_;
  Thread& to = threads_[id];
  from.stayed = false;
  from.run_length = 0;
  from.last_run = steps_;
  if (alone_ != id) alone_ = no_thread;
  from.spin.end_episode();
  begin_transition(to);
  current_ = &to;
  if (to.status == Thread::Status::blocked) expire(to);
  races_.run(to);
  journal_.running = id;
  Context::switch_to(*from.context, *to.context);
}

Thread& Engine::spawn(void* (*start)(void*), void* argument, SiteId site) {
  if (thread_count_ == max_threads) {
    fatal(IncidentKind::limit, site, fmt::format("an execution may have at most {} threads", max_threads));
  }
  if (current_ && steps_ != current_->events) transition_point();  // somebody else has stepped
  const auto id = static_cast<ThreadId>(thread_count_++);
  if (current_) {
    access(objects::thread_ids, 1, AccessMode::write);
    access(objects::thread(id), 1, AccessMode::write, false, true);
  }
  Thread& t = threads_[id];
  // A context seen for the first time makes a real thread: that is none of the program's doing.
  const bool was_controlled = std::exchange(controlled, false);
  const char noticed = calls_are_noticed;
  calls_are_noticed = 0;
  t.context = &contexts_[id];
  calls_are_noticed = noticed;
  controlled = was_controlled;
  t.id = id;
  t.parent = current_ ? current_->id : 0;
  t.status = Thread::Status::ready;
  t.detached = t.joined = t.timed = t.expired = t.in_operation = t.internal = false;
  t.attached = true;  // nothing happens between a thread's start and its first visible event
  t.events = 0;
  t.uncontrolled = 0;
  t.start = start;
  t.argument = argument;
  t.result = nullptr;
  t.joiners = 0;
  t.stayed = t.woken = false;
  t.run_length = t.last_run = 0;
  t.spin_state = 0;
  t.circles = {};
  t.spin.reset();
  t.attempt.begin();
  t.turn.clear();
  next_[id] = {0, site, 0, id, EventKind::start};
  races_.use_threads(thread_count_);
  races_.spawn(t);
  if (reducing_ && contexts_.mode() == ContextMode::fiber)
    std::memset(t.context->stack_high() - wiped_at_start, 0, wiped_at_start);
  t.context->prepare(thread_entry, &t);
  ready_ |= bit(id);
  ++unfinished_;
  if (current_) current_->attached = false;  // from here on others can come before the next event
  return t;
}

void Engine::thread_entry(void* self) {
  Thread& t = *static_cast<Thread*>(self);
  Engine& e = *engine;
  controlled = true;
  void* result = nullptr;
  run_user_code(t.start, t.argument, result);  // an exception that leaves it ends the execution there
  e.finish_thread(result);
}

void Engine::finish_thread(void* result) {
  Thread& t = *current_;
  run_thread_exit_handlers();
  t.result = result;
  t.status = Thread::Status::finished;
  ready_ &= ~bit(t.id);
  --unfinished_;
  next_[t.id] = {0, 0, t.events++, t.id, EventKind::finish};
  if (watch_events_) tell_executed();
  races_.clear(t.pending_acquire);
  wrote(t.id);
  access(objects::thread(t.id), 1, AccessMode::write, false, true);
  if (awaited_ & bit(t.id)) {
    awaited_ &= ~bit(t.id);
    if (awaited_ == 0) t.joiners |= bit(0);
  }
  // What a joiner does up to its next visible event concerns nobody: it does it now, and that event is where the choice is.
  if (std::has_single_bit(t.joiners) && !reducing_) {
    const auto joiner = static_cast<ThreadId>(std::countr_zero(t.joiners));
    unblock(joiner);
    if (threads_[joiner].status == Thread::Status::ready) {
      threads_[joiner].woken = true;
      leave_for(joiner);
    }
  }
  for (std::uint64_t mask = t.joiners; mask; mask &= mask - 1) unblock(static_cast<ThreadId>(std::countr_zero(mask)));
  run_away(false);
  __builtin_unreachable();
}

void Engine::join_all() {
  if (awaited_ == 0) transition_point();
  access(objects::free_switch, 1, AccessMode::read);
  while (awaited_ != 0) block(EventKind::join, 0);
  for (unsigned i = 1; i < thread_count_; ++i) {
    if (threads_[i].internal) continue;
    access(objects::thread(static_cast<ThreadId>(i)), 1, AccessMode::read, true);
    threads_[i].joined = true;
    races_.acquire(threads_[i].clock);
  }
}

bool Engine::block(EventKind why, ObjectId on, const std::uint64_t* deadline) {
  Thread& t = *current_;
  t.woken = false;
  t.status = Thread::Status::blocked;
  t.blocked_on = on;
  t.blocked_as = why;
  t.expired = t.outrun = false;
  t.timed = deadline != nullptr;
  ready_ &= ~bit(t.id);
  if (deadline) {
    t.deadline = *deadline;
    timed_ |= bit(t.id);
  } else if (pending_ != 0) {
    look_for_blocked_operations();
  }
  if (watch_events_) observer_->blocked(t.id, why, on);
  run_away(false);
  t.timed = false;
  if (watch_events_) tell_executed();
  return !t.expired;
}

void Engine::unblock(ThreadId id) {
  Thread& t = threads_[id];
  if (t.status != Thread::Status::blocked) return;
  t.status = Thread::Status::ready;
  timed_ &= ~bit(id);
  ready_ |= bit(id);
}

void Engine::block_instead(ThreadId id, EventKind why, ObjectId on) {
  Thread& t = threads_[id];
  t.blocked_as = why;
  t.blocked_on = on;
  t.outrun = t.timed;
  t.timed = false;
  timed_ &= ~bit(id);
}

void Engine::reblock(ThreadId id) {
  Thread& t = threads_[id];
  if (t.status != Thread::Status::ready) return;
  t.status = Thread::Status::blocked;
  ready_ &= ~bit(id);
  held_back_ &= ~bit(id);
  if (t.timed) timed_ |= bit(id);
}

// ---- marks ----

void Engine::mark(std::uint32_t operation, Mark mark, std::span<const std::byte> bytes) {
  Thread& t = *current_;
  if (mark == Mark::call) {
    if (!reducing_) {
      point(EventKind::call, operation, 0);
      t.attached = true;
    }
    t.in_operation = true;
    pending_ |= bit(t.id);
    t.spin.reset();
  } else if (mark == Mark::ret) {
    if (reducing_) {
      look_for_retry(0, hash_bytes(bytes));
      notice(operation);
    } else {
      t.attached = false;
    }
    t.in_operation = false;
    pending_ &= ~bit(t.id);
    t.spin.reset();
  }
  observer_->mark(t.id, operation, mark, bytes);
  if (mark == Mark::ret && pending_ != 0) look_for_blocked_operations();
}

/// Where nothing pending can go on without a new call, what is pending is stuck, whether or not calls are left to make.
void Engine::look_for_blocked_operations() {
  if (given_up_ == 0 && ((ready_ | timed_) & (pending_ | internal_)) == 0) observer_->all_pending_blocked();
}

}  // namespace muster
