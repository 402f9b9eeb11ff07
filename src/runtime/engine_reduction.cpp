// The engine under partial-order reduction: a transition begins at each point, what it touches is told to the strategy,
// and loops that repeat themselves are given up.

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

void Engine::begin_transition(Thread& t) {
  if (!told_) return;
  const bool was_controlled = std::exchange(controlled, false);
  ++transitions_;
  t.attempt.begin_transition();
  if (!reducer_->begin_transition(t.id)) end(Ending::abandoned);
  // Straight to the strategy: the running thread, which may be another one, has not read this.
  if (t.events == 0 && t.id != 0) reducer_->accessed({.object = objects::thread(t.id), .blocking = true});
  controlled = was_controlled;
}

/// Who waits at the end for something that another thread took.
void Engine::tell_waiting() {
  for (unsigned i = 0; i < thread_count_; ++i) {
    const Thread& t = threads_[i];
    if (t.status != Thread::Status::blocked) continue;
    if (t.outrun) reducer_->waits(t.id, {objects::wake_up(t.id), 1, AccessMode::read, false, false, false, true});
    const bool shared = t.blocked_as == EventKind::lock_shared;
    if (shared || t.blocked_as == EventKind::lock || t.blocked_as == EventKind::acquire_semaphore)
      reducer_->waits(t.id, {objects::queue(t.blocked_on), 1, shared ? AccessMode::commute : AccessMode::write, true,
                             false, t.blocked_as == EventKind::acquire_semaphore});
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
void Engine::wipe_stack() {
  if (std::exchange(current_->looked_at, false)) {
    wipe_below<2048>();
  } else {
    wipe_below<512>();
  }
}

void Engine::tell_accessed(const Access& access) {
  const bool was_controlled = std::exchange(controlled, false);  // what the strategy allocates is not the program's
  reducer_->accessed(access);
  if (current_->makes_debut) makes_debut();
  if (access.mode == AccessMode::read || !access.changes) {  // what a thread sees in vain
    if (current_->spin.remembers_a_place()) {
      current_->turn.push_back(access);
      turning_ |= bit(current_->id);
    }
  } else {
    current_->spin.reset();  // a turn in which it did something was not fruitless: it may have waited for its answer
    for (std::uint64_t mask = turning_ & ~bit(current_->id); mask; mask &= mask - 1) {
      const auto& turn = threads_[std::countr_zero(mask)].turn;
      if (std::ranges::any_of(turn, [&](const Access& read) { return conflict(read, access); }))
        overtaken_ |= mask & -mask;
    }
  }
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

void Engine::note_plain(std::uintptr_t address, std::size_t size, bool write) {
  if (Arena::in_stack_of(current_->id, address)) return;
  const std::uint64_t value = write ? 0 : value_at(address, size);
  std::atomic_signal_fence(std::memory_order_seq_cst);  // a fault of reading it is the program's
  const OwnWork work;
  if (write) {
    current_->attempt.write(address, size);
  } else {
    current_->attempt.read(address, size, value, false);
  }
}

/// Nobody else steps before the running thread ends, and then one at most: the others have ended or were given up, but
/// for one that waits for the end of a thread.
bool Engine::is_on_its_own() const {
  const std::uint64_t self = bit(current_->id), others = alive_ & ~(self | given_up_);
  if ((ready_ | timed_) & ~self) return false;
  return others == 0 ||
         (std::has_single_bit(others) && threads_[std::countr_zero(others)].blocked_as == EventKind::join);
}

/// The running thread is about to make a new transition, or has ended. If it is on its own and the strategy has seen
/// enough, nothing is told any more; true also if that was so before. What a thread that was given up waited for may
/// still be written: if it only spun, that is to be told. If it tried in vain, all that is left shows nothing new.
/// Attempts of the running thread are told to their end. Thread 0 is on its own until it starts the others.
bool Engine::falls_silent() {
  if (!told_) return true;
  const Thread& t = *current_;
  if (t.id == 0 || t.attempt.begun() || !is_on_its_own() || (given_up_ != 0 && retried_ == 0)) return false;
  if (t.comes_after != no_thread && !(known_ & bit(t.id))) return false;
  {
    const OwnWork work;
    if (!may_fall_silent() || !reducer_->has_seen_enough(t.id)) return false;
  }
  if (retried_ != 0) end(Ending::abandoned);
  fall_silent();
  return true;
}

/// It seemed to be over, and the strategy does not know what happened since.
void Engine::start_late() {
  racy_sites_.start_late();
  result_.learned = true;
  end(Ending::abandoned);
}

/// A thread that did something others can notice is at its next point: whatever it reads from here on, it may read in
/// vain, unless it is on its own.
void Engine::begin_attempt(SiteId site) {
  Thread& t = *current_;
  if (!told_ || t.attempt.begun()) return;
  t.attempt.begin_at(mix(t.attempt.observed(), site), !is_on_its_own());
}

/// The running thread is about to write or to return. If it tried before, it may be where it would be without that:
/// then the execution without the failed attempt shows the same, and this one can do without the thread.
void Engine::look_for_retry(SiteId site, std::uint64_t answer) {
  Thread& t = *current_;
  if (!told_ || !t.attempt.begun()) return;
  const std::size_t earlier = t.attempt.may_be_in_vain() ? t.attempt.earlier_tries() : 0;
  const Arrival arrival{site, t.attempt.start(), t.attempt.reads(), earlier};
  const bool repeated = position_ < replayed_;
  if (repeated && arrival.earlier == 0) return;
  if (!repeated) {
    const bool was_controlled = std::exchange(controlled, false);
    reducer_->arrives(arrival, [&] { return mix(mix(state_of(t), t.attempt.written_hash()), answer); });
    controlled = was_controlled;
    if (arrival.earlier == 0) return;
  }
  settle_retry();
}

/// The running thread is about to read. If an exchange failed since it read at this place before, and it is in the
/// state it was in then, and wrote nothing, what it does from here is what it would do had it never tried: another
/// execution shows that. Places are looked at closely once a loop came back to them.
void Engine::look_for_return(SiteId site) {
  RetryTracker& attempt = current_->attempt;
  if (!told_ || !attempt.may_be_in_vain()) return;
  const RetryTracker::Head* const head = attempt.head(site);
  if (!head) {
    const OwnWork work;
    // What a thread reads while it is alone stays true: no exchange that relies on it fails.
    const bool may_come_back = !nobody_else_can_step() && loop_heads_.contains(site);
    attempt.add_head(site, may_come_back ? state_at(site) : 0);
    return;
  }
  if (!attempt.failed_since(*head)) return;
  if (position_ >= replayed_) {
    const OwnWork work;
    heads_grew_ |= loop_heads_.insert(site);  // what was saved did not look at it closely
    reducer_->tries_again(head->state != 0 && attempt.wrote_nothing() && head->state == state_at(site));
  }
  settle_retry();
}

/// The state of the running thread follows from what it saw so far in this test; looking at registers and stack takes
/// longer.
std::uint64_t Engine::state_at(SiteId site) {
  return reducer_->state_after(mix(current_->attempt.observed(), site), [&] { return state_of(*current_); });
}

/// Whether the running thread goes on after a failed attempt is a decision, so that replays agree. If it does not, all
/// that the others may do from here they may also do before its last transition: then this execution ends. But memory
/// that was touched only now may race with what they do after it: then they go on, and the thread is given up.
void Engine::settle_retry() {
  constexpr Option options[] = {0, 1};
  if (decide(PointKind::retry, Cost::free, options) == 0) return;
  ++result_.retries_cut;
  if (current_->attempt.looked_at_nothing_new()) end(Ending::abandoned);
  retried_ |= bit(current_->id);
  give_up(*current_);
}

/// Under reduction: a thread that reads what it read before, at the same place and with the same registers and stack,
/// wrote nothing since (its tracker says so) and will do the same again. The execution without this turn of its loop
/// shows all that this one can: the thread is given up. If nothing that it read in this turn was written since, it
/// spins for ever.
void Engine::look_for_repetition(SiteId site) {
  Thread& t = *current_;
  const SpinTracker::Round round = t.spin.comes_to(site, [&] { return state_of(t, Lens::this_loop_and_after); });
  if (round == SpinTracker::Round::remembered) {
    t.turn.clear();
    turning_ &= ~bit(t.id);
    overtaken_ &= ~bit(t.id);
  }
  if (round != SpinTracker::Round::closed) return;
  ++result_.loops_cut;
  give_up(t);
}

void Engine::give_up(Thread& t) {
  t.status = Thread::Status::blocked;
  t.blocked_as = EventKind::yield;
  t.blocked_on = 0;
  ready_ &= ~bit(t.id);
  given_up_ |= bit(t.id);
  run_away(false);
}

}  // namespace muster
