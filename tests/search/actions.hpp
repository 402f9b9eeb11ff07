#pragma once
// What threads of small programs do to memory and locks, told once more and without the engine. What may happen is
// done; what is impossible in a state, or ends the execution, is said so.

#include <bit>
#include <utility>

#include "search/findings.hpp"
#include "search/knowledge.hpp"

namespace muster::test {

class Actions {
 public:
  Actions(const SmallProgram& program, ProgramState& state, unsigned thread, unsigned option,
          std::set<std::string>& findings)
      : program_(program),
        code_(program.threads[thread]),
        state_(state),
        me_(state.threads[thread]),
        known_(state, thread),
        thread_(thread),
        option_(option),
        site_(site_of(program, thread, me_.at)),
        findings_(findings) {}

 protected:
  static constexpr std::uint8_t bit(unsigned thread) { return static_cast<std::uint8_t>(1u << thread); }

  // What moves it on.
  void next(unsigned skip = 0) {
    me_.at = static_cast<std::uint8_t>(me_.at + 1 + skip);
    me_.phase = 0;
    me_.old = me_.turns = 0;
  }
  void go_to(unsigned phase) { me_.phase = static_cast<std::uint8_t>(phase); }
  void impossible() { result_.possible = false; }
  /// No program does this: what comes of it is nothing to compare.
  void misused() {
    findings_.insert(misuse);
    result_.fatal = true;
  }
  void see(std::uint32_t value) {
    me_.last = value;
    if (me_.count == std::size(me_.reads)) fail("a thread of a small program reads too much");
    me_.reads[me_.count++] = value;
  }
  // ---- accesses ----

  void access(Location location, unsigned place, bool writes, bool atomic) {
    const SiteId site = site_ + place;
    if (is_in_block(location) && state_.freed_at != 0) {
      findings_.insert(touched_and_freed(site, state_.freed_at));
      result_.fatal = true;
      return;
    }
    for (const Seen& seen : known_.all()) {
      if (seen.location != location || !(writes || seen.writes) || (atomic && seen.atomic) || known_.knows(seen))
        continue;
      findings_.insert(race_of(site, seen.site, seen.atomic));
    }
    if (writes && !atomic) known_.drop_if([&](const Seen& seen) { return seen.location == location && !seen.atomic; });
    known_.drop_if([&](const Seen& seen) {
      const bool stronger = atomic == seen.atomic && writes == static_cast<bool>(seen.writes);
      return seen.location == location && stronger && (atomic ? seen.thread == thread_ : known_.knows(seen));
    });
    if (!atomic || is_in_block(location)) known_.add(location, site, writes, atomic);
  }
  std::uint32_t plain_load(unsigned object, unsigned place = 0) {
    access(plain_location(object), place, false, false);
    return state_.plains[object];
  }
  void plain_store(Location location, std::uint32_t& to, std::uint32_t value, unsigned place = 0) {
    access(location, place, true, false);
    to = value;
  }

  struct Word {
    std::uint32_t* value;
    unsigned knower;
    Location location;
  };
  Word word(unsigned object) {
    // Words outside of the block are never accessed by plain accesses: their location does not matter.
    return {&state_.atomics[object], knower::word(object), object == in_block ? Location::word : Location::plain_words};
  }
  Word strong() { return {&state_.strong, knower::strong, Location::strong}; }
  Word weak() { return {&state_.weak, knower::weak, Location::weak}; }

  void atomic_access(const Word& at, unsigned place, bool writes) {
    if (is_in_block(at.location)) access(at.location, place, writes, true);
  }
  std::uint32_t load(const Word& from, Order order = Order::seq_cst, unsigned place = 0) {
    atomic_access(from, place, false);
    if (acquires(order)) known_.acquire(from.knower);
    return *from.value;
  }
  void store(const Word& to, std::uint32_t value, Order order = Order::seq_cst) {
    atomic_access(to, 0, true);
    known_.forget(to.knower);
    if (releases(order)) known_.release(to.knower);
    *to.value = value;
  }
  std::uint32_t exchange(const Word& to, std::uint32_t value, Order order = Order::seq_cst, unsigned place = 0) {
    atomic_access(to, place, true);
    if (acquires(order)) known_.acquire(to.knower);
    if (releases(order)) known_.release(to.knower);
    return std::exchange(*to.value, value);
  }
  std::uint32_t add(const Word& to, std::uint32_t much, Order order = Order::seq_cst, unsigned place = 0) {
    return exchange(to, *to.value + much, order, place);
  }
  std::uint32_t compare_exchange(const Word& to, std::uint32_t expected, std::uint32_t desired, unsigned place = 0) {
    return *to.value == expected ? exchange(to, desired, Order::seq_cst, place) : load(to, Order::seq_cst, place);
  }

  // ---- locks ----

  void touch_mutex(unsigned object, unsigned place, bool writes) {
    if (object == in_block) access(Location::mutex, place, writes, true);
  }
  void touch_condition(unsigned object, unsigned place) {
    if (object == in_block) access(Location::condition, place, true, true);
  }
  bool try_lock(unsigned object, unsigned place = 0) {
    const bool free = state_.mutexes[object] == 0;
    touch_mutex(object, place, free);
    if (!free) return false;
    state_.mutexes[object] = static_cast<std::uint8_t>(1 + thread_);
    known_.acquire(knower::mutex(object));
    return true;
  }
  /// Whether it has it now; otherwise it cannot make this step yet.
  bool lock(unsigned object, unsigned place = 0) {
    if (try_lock(object, place)) return true;
    if (!result_.fatal) impossible();
    return false;
  }
  void unlock(unsigned object, unsigned place = 0) {
    touch_mutex(object, place, true);
    if (state_.mutexes[object] != 1 + thread_) return misused();
    known_.release(knower::mutex(object));
    state_.mutexes[object] = 0;
  }

  /// A lock that may be had shared.
  bool lock_shared(unsigned object) {
    if (state_.rwlocks[object] != 0) return false;
    if (state_.readers[object] & bit(thread_)) misused();
    state_.readers[object] |= bit(thread_);
    known_.acquire(knower::writers(object));
    return true;
  }
  bool lock_exclusive(unsigned object) {
    if (state_.rwlocks[object] != 0 || state_.readers[object] != 0) return false;
    state_.rwlocks[object] = static_cast<std::uint8_t>(1 + thread_);
    known_.acquire(knower::writers(object));
    known_.acquire(knower::readers(object));
    return true;
  }
  void unlock_shared(unsigned object) {
    if (state_.rwlocks[object] == 1 + thread_) {
      known_.release(knower::writers(object));
      state_.rwlocks[object] = 0;
    } else if (state_.readers[object] & bit(thread_)) {
      known_.release(knower::readers(object));
      state_.readers[object] ^= bit(thread_);
    } else {
      misused();
    }
  }

  /// One of those who wait, by the number of the option, goes on.
  void wake_one(std::uint8_t& waiting) {
    if (waiting == 0) return;
    result_.options = static_cast<unsigned>(std::popcount(waiting));
    std::uint8_t rest = waiting;
    for (unsigned i = 0; i < option_; ++i) rest &= static_cast<std::uint8_t>(rest - 1);
    waiting ^= static_cast<std::uint8_t>(rest & -rest);
  }

  /// Waiting at a condition variable in three steps: to wait, to be woken or run out of time, to have the mutex again.
  /// True when that is over; `in_time` tells how it went.
  bool wait(unsigned condition, unsigned mutex, unsigned first_phase, unsigned place, bool timed, bool& in_time) {
    enum { begins, waits, is_late };
    std::uint8_t& waiting = state_.conditions[condition];
    switch (me_.phase - first_phase) {
      case begins:
        touch_condition(condition, place);
        unlock(mutex, place);
        waiting |= bit(thread_);
        go_to(first_phase + waits);
        return false;
      case waits:
        if (waiting & bit(thread_)) {
          if (!timed) impossible();
          waiting &= static_cast<std::uint8_t>(~bit(thread_));
          go_to(first_phase + is_late);
          return false;
        }
        in_time = true;
        return lock(mutex, place);
      default:
        in_time = false;
        return lock(mutex, place);
    }
  }

  void destroy() {
    const SiteId site = site_ + 4;
    if (state_.freed_at != 0) {
      findings_.insert(touched_and_freed(site, state_.freed_at));
      result_.fatal = true;
      return;
    }
    for (const Seen& seen : known_.all()) {
      if (is_in_block(seen.location) && !known_.knows(seen)) findings_.insert(race_of(site, seen.site, seen.atomic));
    }
    known_.drop_if([](const Seen& seen) { return is_in_block(seen.location); });
    state_.freed_at = static_cast<std::uint16_t>(site);
    state_.atomics[in_block] = state_.plains[in_block] = state_.strong = state_.weak = 0;
  }

  const SmallProgram& program_;
  const std::vector<Instruction>& code_;
  ProgramState& state_;
  ThreadPart& me_;
  Knowledge known_;
  unsigned thread_, option_;
  SiteId site_;
  std::set<std::string>& findings_;
  Step result_;
};

}  // namespace muster::test
