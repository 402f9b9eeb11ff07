// What an execution under reduction reports: where transitions begin, what each touches, who waits in the end; and when
// there is nothing more to report.

#include "runtime/reduced_execution.hpp"

#include <emmintrin.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <iterator>
#include <utility>

#include "runtime/engine.hpp"
#include "runtime/user_state.hpp"
#include "schedule/thread_set.hpp"

namespace muster {

void ReducedExecution::begin_reported(Thread& t) {
  const bool was_controlled = std::exchange(controlled, false);
  ++begun_;
  t.attempt.begin_transition();
  if (!reducer_->begin_transition(t.id)) engine_.end(Ending::abandoned);
  // Straight to the strategy: the running thread, which may be another one, has not read this.
  if (t.events == 0 && t.id != 0) reducer_->accessed({.object = objects::thread(t.id), .blocking = true});
  controlled = was_controlled;
}

void ReducedExecution::spawned(Thread& t) {
  t.comes_after = no_thread;
  t.makes_debut = false;
  // Those that see the same are still different threads.
  t.attempt.begin(
      mix(mix(t.id, reinterpret_cast<std::uintptr_t>(t.start)), reinterpret_cast<std::uintptr_t>(t.argument)));
  t.turn.clear();
  t.writes_at_lock = ~std::uint64_t{0};
  turning_ &= ~bit(t.id);
}

void ReducedExecution::point(EventKind kind, SiteId site, bool may_switch) {
  if (kind == EventKind::unlock) look_for_circle_at_release();
  if (may_switch && stops()) return;
  begin_attempt(site);
  if (kind == EventKind::store || kind == EventKind::write) look_for_retry(site, 0);
  if (engine_.current_->comes_after != no_thread && comes_to_debut(kind)) may_switch = false;
  if (may_switch) engine_.thread_point(Cost::preemption);  // by now the execution may be run on without reduction
  if (engine_.watch_events_) engine_.tell_executed();
  if (reducing_) wipe_stack();
}

/// Apart, so that what it needs does not lie on the stack of every thread that waits for its turn.
[[gnu::noinline]] void ReducedExecution::repeatable_point(EventKind kind, SiteId site, ObjectId read,
                                                          std::uint64_t value, bool may_switch) {
  if (read == 0) look_for_circle();  // a lock: reads are not all reported once nothing is
  if (may_switch && stops() && engine_.steps_ - engine_.last_write_ < Engine::reads_unasked) return;
  begin_attempt(site);
  if (kind == EventKind::rmw) look_for_retry(site, 0);
  if (kind == EventKind::load) look_for_return(site);
  if (engine_.current_->comes_after != no_thread && comes_to_debut(kind)) may_switch = false;
  if (read == 0) {
    engine_.current_->spin.reset();  // a lock that was taken is something others can have seen
  } else if (engine_.current_->spin.repeats(site, read, value)) {
    touches({.object = objects::free_switch});
    look_for_repetition(site);
  }
  if (may_switch) engine_.reduced_point();
  if (engine_.watch_events_) engine_.tell_executed();
  wipe_stack();
}

void ReducedExecution::returns(std::uint32_t operation, std::span<const std::byte> answer) {
  if (engine_.current_->attempt.begun()) look_for_retry(0, hash_bytes(answer));
  notice(operation);
}

void ReducedExecution::part() {
  engine_.current_->attached = false;
  engine_.reduced_point();
}

void ReducedExecution::only_hidden_threads_left() {
  if (debutants_ != 0) engine_.end(Ending::abandoned);  // with other names they did not wait
  if (retried_ || (given_up_ & overtaken_)) engine_.end(Ending::abandoned);
  run_on(RunsOn::given_up);
}

Ending ReducedExecution::end(Ending ending) {
  if (runs_on_ != RunsOn::no) [[unlikely]]
    ending = end_of_run_on(ending);
  if (reducing_) [[unlikely]]
    report_waiting();
  return ending;
}

/// Who waits at the end for something that another thread took.
void ReducedExecution::report_waiting() {
  for (unsigned i = 0; i < engine_.thread_count_; ++i) {
    const Thread& t = engine_.threads_[i];
    if (t.status != Thread::Status::blocked) continue;
    if (t.outrun) reducer_->waits(t.id, {.object = objects::wake_up(t.id), .alternative = true});
    const bool shared = t.blocked_as == EventKind::lock_shared;
    if (shared || t.blocked_as == EventKind::lock || t.blocked_as == EventKind::acquire_semaphore)
      reducer_->waits(t.id, {.object = objects::queue(t.blocked_on),
                             .mode = shared ? AccessMode::commute : AccessMode::write,
                             .blocking = true,
                             .counted = t.blocked_as == EventKind::acquire_semaphore});
  }
}

namespace {

/// A few stores at a time: what the compiler makes of a plain loop takes as long as all of them to begin, and all of
/// them one after the other are more code than is worth it.
template <std::size_t Size>
[[gnu::noinline]] void wipe_below() {
  constexpr std::size_t at_a_time = 8;
  __m128i below[Size / sizeof(__m128i)];
  const auto wipe = [](__m128i& part) {
    _mm_store_si128(&part, _mm_setzero_si128());
    asm volatile("" : "+m"(part));
  };
  for (__m128i* at = below; at != std::end(below); at += at_a_time) {
    [&]<std::size_t... Part>(std::index_sequence<Part...>) { (wipe(at[Part]), ...); }
    (std::make_index_sequence<at_a_time>());
  }
}

}  // namespace

/// What the engine leaves below the user's frames depends on the schedule, and shows through where later frames do not
/// write: states that are the same would look different. Looking at one goes deep.
void ReducedExecution::wipe_stack() {
  if (std::exchange(engine_.current_->looked_at, false)) {
    wipe_below<2048>();
  } else {
    wipe_below<512>();
  }
}

void ReducedExecution::report(const Access& access) {
  const bool is_object = access.object != objects::free_switch;
  if (weak_ && is_object) engine_.weak_memory_.touch(access.object, access.size, access.mode == AccessMode::read);
  if (!reported_) return;
  if (is_object) engine_.current_->attempt.notice(mix(access.object, static_cast<std::uint64_t>(access.mode)));
  tell(access);
}

void ReducedExecution::report_read(ObjectId object, std::size_t size, std::uint64_t value) {
  if (weak_) engine_.weak_memory_.touch(object, size, true);
  if (reported_) report_value(object, size, value);
}

void ReducedExecution::report_value(ObjectId object, std::size_t size, std::uint64_t value) {
  const OwnWork work;
  engine_.current_->attempt.read(object, size, value);
  tell({.object = object, .size = static_cast<std::uint32_t>(size)});
}

void ReducedExecution::wrote_atomic(ObjectId object, std::size_t size, bool changes) {
  if (!reported_) return;
  const Access access{
      .object = object, .size = static_cast<std::uint32_t>(size), .mode = AccessMode::write, .changes = changes};
  engine_.current_->attempt.notice(mix(access.object, static_cast<std::uint64_t>(access.mode)));
  tell(access);
}

std::uint64_t ReducedExecution::bit_of_current() const { return bit(engine_.current_->id); }

inline void ReducedExecution::tell(const Access& access) {
  const bool was_controlled = std::exchange(controlled, false);  // what the strategy allocates is not the program's
  reducer_->accessed(access);
  if (engine_.current_->makes_debut) makes_debut();
  if (access.mode == AccessMode::read || !access.changes) {  // what a thread sees in vain
    if (engine_.current_->spin.remembers_a_place()) {
      engine_.current_->turn.push_back(access);
      turning_ |= bit(engine_.current_->id);
    }
  } else {
    engine_.current_->spin
        .reset();  // a turn in which it did something was not fruitless: it may have waited for its answer
    overtakes(access);
  }
  controlled = was_controlled;
}

/// What others read in their turns is written now.
void ReducedExecution::overtakes(const Access& access) {
  for (std::uint64_t mask = turning_ & ~bit(engine_.current_->id); mask; mask &= mask - 1) {
    const auto& turn = engine_.threads_[std::countr_zero(mask)].turn;
    if (std::ranges::any_of(turn, [&](const Access& read) { return conflict(read, access); }))
      overtaken_ |= mask & -mask;
  }
}

void ReducedExecution::sleeps() {
  const bool matters = !reducing_ || engine_.racy_sites_.looks_at_clock();
  if (weak_ && matters) engine_.weak_memory_.touch(objects::clock, 1, false);
  if (!reducing_) return;
  engine_.racy_sites_.sleep();
  engine_.current_->spin.sleeps();
  if (!reported_) return;
  const Access access{.object = objects::clock, .mode = AccessMode::write};
  engine_.current_->attempt.notice(mix(access.object, static_cast<std::uint64_t>(access.mode)));
  if (!engine_.racy_sites_.looks_at_clock()) return;
  const bool was_controlled = std::exchange(controlled, false);
  reducer_->accessed(access);
  if (engine_.current_->makes_debut) makes_debut();
  overtakes(access);
  controlled = was_controlled;
}

namespace {

/// What is there, or a hash of it where it is no single number.
std::uint64_t value_at(std::uintptr_t address, std::size_t size) {
  const auto number = [&]<class Number>(Number read) {
    std::memcpy(&read, reinterpret_cast<const void*>(address), sizeof read);
    return std::uint64_t{read};
  };
  switch (size) {
    case 1:
      return number(std::uint8_t{});
    case 2:
      return number(std::uint16_t{});
    case 4:
      return number(std::uint32_t{});
    case 8:
      return number(std::uint64_t{});
    default:
      return hash_bytes({reinterpret_cast<const std::byte*>(address), size});
  }
}

}  // namespace

void ReducedExecution::note_plain(std::uintptr_t address, std::size_t size, bool write) {
  if (Arena::in_stack_of(engine_.current_->id, address)) return;
  const std::uint64_t value = write ? 0 : value_at(address, size);
  std::atomic_signal_fence(std::memory_order_seq_cst);  // a fault of reading it is the program's
  const OwnWork work;
  if (write) {
    engine_.current_->attempt.write(address, size);
  } else {
    engine_.current_->attempt.read_unseen(address, size, value);
  }
}

/// Apart, so that plain search has less code to go through.
[[gnu::noinline]] void ReducedExecution::pass(Tape& tape) {
  tape.run([this](auto& strip) {
    strip.pass(static_cast<ReducedExecutionState&>(*this));
    for (std::uint64_t mask = engine_.alive_; mask; mask &= mask - 1)
      engine_.threads_[std::countr_zero(mask)].pass_attempt(strip);
  });
}

/// Nobody else steps before the running thread ends, and then one at most: the others have ended or were given up, but
/// for one that waits for the end of a thread.
bool ReducedExecution::is_on_its_own() const {
  const std::uint64_t self = bit(engine_.current_->id), others = engine_.alive_ & ~(self | given_up_);
  if ((engine_.ready_ | engine_.timed_) & ~self) return false;
  return others == 0 ||
         (std::has_single_bit(others) && engine_.threads_[std::countr_zero(others)].blocked_as == EventKind::join);
}

bool ReducedExecution::may_stop() const {
  return !engine_.racy_sites_.starts_late() && !engine_.watch_events_ && !engine_.options_.planned;
}

/// All that is left of the execution goes on as in a plain search, and nothing of it is reported.
void ReducedExecution::stop() {
  reported_ = false;
  engine_.is_plain_ = true;
}

void ReducedExecution::stop_reporting() {
  if (reported_ && engine_.races_.alone() && engine_.manners_.begins_again && may_stop()) stop();
}

/// The running thread is about to make a new transition, or has ended. If it is on its own and the strategy has seen
/// enough, nothing is reported any more; true also if that was so before. What a thread that was given up waited for
/// may still be written: if it only spun, that is to be reported. If it tried in vain, all that is left shows nothing
/// new. Attempts of the running thread are reported to their end. Thread 0 is on its own until it starts the others.
bool ReducedExecution::stops() {
  if (!reported_) return true;
  const Thread& t = *engine_.current_;
  if (t.id == 0 || t.attempt.begun() || !is_on_its_own() || (given_up_ != 0 && retried_ == 0)) return false;
  if (t.comes_after != no_thread && !(known_ & bit(t.id))) return false;
  {
    const OwnWork work;
    if (!may_stop() || !reducer_->has_seen_enough(t.id)) return false;
  }
  if (retried_ != 0) engine_.end(Ending::abandoned);
  if (weak_ && !engine_.races_.knows_all_steps()) return false;  // it may still read what is older
  stop();
  return true;
}

/// It seemed to be over, and the strategy does not know what happened since.
void ReducedExecution::start_late() {
  engine_.racy_sites_.start_late();
  engine_.result_.learned = true;
  engine_.end(Ending::abandoned);
}

}  // namespace muster
