// The engine's fairness: yields, spin episodes, who is held back, and when an execution goes round in circles.

#include <algorithm>
#include <bit>
#include <utility>

#include "base/hash.hpp"
#include "runtime/cut.hpp"
#include "runtime/engine.hpp"
#include "runtime/user_state.hpp"
#include "schedule/thread_set.hpp"

namespace muster {
namespace {

// A thread that spins in an execution that went on for so long is looked at more closely: it may be going round in
// circles.
constexpr std::uint32_t suspicious_length = 20'000;

// A thread that runs on alone is looked at for so many turns after 1, 2, 4 … of them: a loop with more visible reads
// goes unnoticed.
constexpr unsigned longest_circle = 16;

// Each of a few threads may come to the end of its spinning by itself, without a write; so many steps are suspicious.
constexpr std::uint32_t long_standstill = 100;

// No address: only who may depend on anything depends on it.
constexpr ObjectId no_object = 1;

}  // namespace

std::uint64_t Engine::state_of(Thread& running, Lens lens) {
  running.looked_at = true;
  const std::uint64_t code = thread_state_ ? thread_state_(running.id) : user_state_hash(*running.context, lens);
  if (lens == Lens::all) return code;  // of an attempt, which was told all that it saw
  // What it is about to read was named in a register that calls do not preserve.
  return surroundings_.hash_of(running.id, mix(code, next_[running.id].object));
}

/// It may turn out to change nothing.
void Engine::doubt(std::uintptr_t address, std::size_t size) {
  if (going_back_.saves_ && !Arena::contains(address)) going_back_.look_outside(address);
  if (!doubted_.add(address, size)) wrote(address);
}

void Engine::settle_doubts() {
  doubted_.settle([this](std::uintptr_t address) { wrote(address); });
}

bool Engine::must_see_newest() {
  if (reduction_.runs_on_ != ReducedExecutionState::RunsOn::no) return true;
  if (reduction_.reducing_) return false;  // its loops are left out as a whole
  const bool must = alone_ == current_->id || current_->spin.iterations() > options_.spin_budget;
  result_.held_back |= must;
  return must;
}

void Engine::yield_point(EventKind kind, SiteId site) {
  const bool may_switch = step(kind, 0, site);
  if (weak_) weak_memory_.gave_way(current_->id);
  if (reduction_.reducing_) {
    reduction_.touches({.object = objects::free_switch});
    if (may_switch) reduced_point();
  } else if (may_switch || options_.serial) {
    Thread& t = *current_;
    if (t.spin.repeats(site, 0, 0)) {
      spin_point();
    } else if (t.spin.iterations() == 0) {
      // A first yield is a chance to switch, but no sign of waiting: the thread stays ready.
      t.spin.iterate();
      const std::uint64_t others = enabled() & ~bit(t.id);
      if (others) {
        Option options[max_threads];
        const unsigned count = list_fairly(others, options);
        options[count] = t.id;
        const Option chosen = options[decide(PointKind::thread, Cost::free, {options, count + 1})];
        t.stayed = chosen == t.id;
        if (!t.stayed) leave_for(chosen);
      }
    } else {
      t.spin.iterate();
      thread_point(Cost::late_yield);
    }
  }
  if (watch_events_) tell_executed();
}

/// Threads other than the running one, whoever has not run for longest first: spinning threads must not pass the turn
/// among themselves.
unsigned Engine::list_fairly(std::uint64_t mask, Option* into) {
  const unsigned count = list(mask, into);
  std::sort(into, into + count, [&](Option a, Option b) {
    return std::pair(threads_[a].last_run, a) < std::pair(threads_[b].last_run, b);
  });
  return count;
}

/// One more fruitless turn of a spinning thread. The first of an episode is a free chance to switch, later ones cost a
/// late yield, and once the budget is spent the thread is held back. Whoever leaves here returns only when something it
/// reads was written, or when nobody else can step.
void Engine::spin_point() {
  Thread& t = *current_;
  const unsigned iteration = t.spin.iterations();
  t.spin.iterate();
  const std::uint64_t others = enabled() & ~bit(t.id);
  if (alone_ == t.id && others == 0) {
    if (iteration > options_.spin_budget && goes_round(iteration - options_.spin_budget)) {
      t.circles = {t.events, writes_};
      run_away_held_back();
    }
    return;
  }
  if (iteration > options_.spin_budget) {
    result_.held_back = true;
    // Nobody else ran since this thread chose to stay, so leaving now is what leaving at once was: that has its own
    // execution.
    if (t.stayed && manners_.prunes) end(Ending::abandoned);
    return run_away_held_back();
  }
  if (iteration == 0) t.stayed = false;
  if (others == 0) {
    // The others that could run spin as well: who goes on first is chosen once for all turns to come.
    if (held_back_ != 0 && iteration > 0) run_away_held_back();
    return;
  }
  Option options[max_threads];
  if ((iteration == 0 && steps_ - last_write_ > options_.standstill) || steps_ > suspicious_length) check_lasso();
  if (iteration == 0) {
    const unsigned count = list_fairly(others, options);
    options[count] = t.id;
    const Option chosen = options[decide(PointKind::thread, Cost::free, {options, count + 1})];
    t.stayed = chosen == t.id;
    if (t.stayed) return;
    held_back_ |= bit(t.id);
    leave_for(chosen);
  } else {
    options[0] = t.id;
    const unsigned count = 1 + list(others, options + 1);
    const std::uint8_t index = decide(PointKind::thread, Cost::late_yield, {options, count});
    if (index == 0) return;
    ++result_.late_yields;
    held_back_ |= bit(t.id);
    leave_for(options[index]);
  }
}

/// Apart, so that the options do not lie on the stack of every thread that waits.
[[gnu::noinline]] ThreadId Engine::decide_who(std::uint64_t candidates) {
  Option options[max_threads];
  const unsigned count = list(candidates, options);
  if (current_->status != Thread::Status::finished || reduction_.reducing_)
    return options[decide(PointKind::thread, Cost::free, {options, count})];
  // Nobody comes back to a thread that has ended: its stack is not saved.
  if (going_back_.begin_savepoint(steps_, Cost::free, Savepoint::Kind::after_end)) {
    GoingBack::copy_to_tape(this);
    controlled = true;
  }
  return options[decide_unsaved(PointKind::thread, Cost::free, {options, count})];
}

/// The running thread spins: it shall not step before something that it reads was written, or nobody else can step.
void Engine::run_away_held_back() {
  Thread& t = *current_;
  held_back_ |= bit(t.id);
  if (steps_ - last_write_ > options_.standstill) take_state(t);
  run_away();
}

/// The running thread cannot or may not step: somebody else must.
void Engine::run_away() {
  Thread& t = *current_;
  for (;;) {
    const std::uint64_t mask = enabled();
    if (mask == 0) {
      nobody_can_run();
      continue;
    }
    const ThreadId chosen =
        std::has_single_bit(mask) ? static_cast<ThreadId>(std::countr_zero(mask)) : decide_who(mask);
    if (chosen != t.id) return leave_for(chosen);
    reduction_.begin(t);
    if (t.status == Thread::Status::blocked) expire(t);
    t.spin.end_episode();
    return;
  }
}

/// Either all that can step spin, or only a deadline can help, or this execution is over.
void Engine::nobody_can_run() {
  if (reduction_.hides_threads()) return reduction_.only_hidden_threads_left();
  const std::uint64_t spinning = held_back_ & admitted();
  std::uint64_t hopeful = 0;
  bool only_read = true;
  for (std::uint64_t mask = spinning; mask; mask &= mask - 1) {
    const Thread& t = threads_[std::countr_zero(mask)];
    if (t.circles != Thread::Circles{t.events, writes_}) hopeful |= bit(t.id);
    only_read &= !t.spin.depends_on(no_object);
  }
  if (hopeful != 0 && only_read) return let_run_alone(hopeful);
  if (hopeful != 0 && !(timed_ != 0 && steps_ - last_write_ > long_standstill)) {
    // Who takes and releases locks while it spins can be in the way of others at each turn, or not: all go on.
    if (steps_ - last_write_ > options_.standstill) check_lasso();
    held_back_ = 0;
    return;
  }
  if (timed_ != 0) {  // only in serial executions: elsewhere deadlines are options of their own
    ThreadId first = no_thread;
    for (std::uint64_t mask = timed_; mask; mask &= mask - 1) {
      const auto id = static_cast<ThreadId>(std::countr_zero(mask));
      if (first == no_thread || threads_[id].deadline < threads_[first].deadline) first = id;
    }
    expire(threads_[first]);
    return;
  }
  if (spinning != 0) {
    // Each of them was seen to go round in circles that change nothing, so they do so together for ever.
    result_.livelock = true;
    end(Ending::stuck);
  }
  const std::uint64_t blocked = alive_ & ~ready_;
  end(blocked & ~blocking_.detached_ ? Ending::stuck : Ending::completed);
}

/// All that can step spin. Turns that change nothing commute, so one thread goes on until it does something else or is
/// found to go round in circles; only who comes first is a decision.
void Engine::let_run_alone(std::uint64_t hopeful) {
  Option options[max_threads];
  const unsigned count = list(hopeful, options);
  alone_ = options[count == 1 ? 0 : decide(PointKind::thread, Cost::free, {options, count})];
  held_back_ &= ~bit(alone_);
}

/// Whether the running thread, of which nobody else's steps came in between, is where it was before, with the same
/// memory and clock.
bool Engine::goes_round(unsigned turn) {
  const unsigned since = turn - std::bit_floor(turn);
  if (since >= longest_circle) return false;
  const std::uint64_t own = state_of(*current_, Lens::this_loop);
  if (since == 0) {
    circle_ = {own, 0};
  } else if (own == circle_.own_state) {
    const std::uint64_t memory = memory_hash();
    if (std::exchange(circle_.memory, memory) == memory) return true;
  }
  return false;
}

/// The running thread spins in an execution that is suspiciously long.
void Engine::check_lasso() {
  take_state(*current_);
  remember_state();
}

/// Where the running thread is; nothing if that is known. A search by classes leaves out turns: then what comes after
/// the loop must not depend on them either, and states are compared in the same way to the end of the execution.
void Engine::take_state(Thread& running) {
  const Lens lens = reduction_.reducer_ ? Lens::this_loop_and_after : Lens::this_loop;
  if (std::exchange(running.state_at, running.events) != running.events) running.spin_state = state_of(running, lens);
}

/// Everything that code can see besides its own stack: clock, heap, globals, locks. How late it is matters to who
/// looks, and to who waits until some time: while all others only sleep, they do the same at any time.
std::uint64_t Engine::memory_hash() const {
  std::uint64_t hash = mix(timed_ != 0 ? time_.now_ : 0, mix(time_.looks_, thread_count_));
  for (unsigned i = 0; i < thread_count_; ++i)
    hash = mix(hash, hash_bytes({Arena::slice(i), heap_.blocks().used(static_cast<ThreadId>(i))}));
  return surroundings_.hash(hash);
}

/// Memory and where every thread is. A thread of which it is not known where it is, because it left before anything was
/// suspicious, is taken to be nowhere it ever was before: what it counts in a register may be all that changes. From
/// the first look on, threads tell where they are when they leave.
std::uint64_t Engine::state_hash() const {
  std::uint64_t hash = mix(mix(memory_hash(), ready_ ^ (std::uint64_t{current_->id} << 60)), timed_);
  hash = mix(hash, mix(reduction_.given_up_, reduction_.known_));
  if (weak_) hash = mix(hash, weak_memory_.older_choices());
  for (unsigned i = 0; i < thread_count_; ++i) {
    const Thread& t = threads_[i];
    if (t.status == Thread::Status::finished) continue;
    hash = mix(hash, t.state_at == t.events ? t.spin_state : ~std::uint64_t{t.events});
  }
  return hash;
}

/// Under reduction all of them: an execution might go through all others of a circle before it comes back to one that
/// is known.
void Engine::remember(std::uint64_t state) {
  const OwnWork work;
  const std::size_t most = reduction_.reducing_ ? longest_reduced : 64;
  SeenState& slot = seen_states_.size() < most ? seen_states_.emplace_back() : seen_states_[steps_ % most];
  slot.hash = state;
  slot.writes = writes_;
  slot.transitions = reduction_.begun_;
  for (unsigned i = 0; i < thread_count_; ++i) {
    slot.events[i] = threads_[i].events;
    slot.unblocked[i] = threads_[i].unblocked;
  }
}

/// A fair lasso: a state that was seen before, and every thread that could step at any time since has stepped. They
/// will do so for ever.
void Engine::remember_state() {
  const std::uint64_t hash = state_hash();
  for (const SeenState& seen : seen_states_) {
    if (seen.hash != hash) continue;
    bool fair = true;
    for (unsigned i = 0; i < thread_count_; ++i) {
      const Thread& t = threads_[i];
      const bool could_step = (ready_ & admitted() & bit(t.id)) != 0 || t.unblocked != seen.unblocked[i];
      fair &= !could_step || t.events > seen.events[i];
    }
    if (!fair) continue;
    result_.livelock = true;
    end(Ending::stuck);
  }
  remember(hash);
}

void Engine::release_dependents(ObjectId object) {
  for (std::uint64_t mask = held_back_; mask; mask &= mask - 1) {
    const auto id = static_cast<ThreadId>(std::countr_zero(mask));
    if (threads_[id].spin.depends_on(object)) {
      held_back_ &= ~bit(id);
      threads_[id].spin.reset();
    }
  }
}

}  // namespace muster
