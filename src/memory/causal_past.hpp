#pragma once
// What comes before what in every execution of the same class: program order, and the order of accesses that conflict.
// More than happens-before, which leaves out what atomics do not acquire. A count is the number of a thread's clock at
// the time.

#include <bit>
#include <vector>

#include "base/event.hpp"
#include "base/tape.hpp"
#include "memory/clock.hpp"

namespace muster {

class CausalPast {
 public:
  void begin_execution();
  /// What its first step comes after.
  void start(const ClockOps& clocks, ThreadId parent, ThreadId child) { clocks.assign(of_[child], of_[parent]); }

  /// The thread knows this for certain, its own steps included.
  void learn(const ClockOps& clocks, ThreadId thread, const Clock& known) { clocks.join(of_[thread], known); }
  /// Its step with this number touches `object`.
  void touch(const ClockOps& clocks, ThreadId thread, std::uint16_t number, ObjectId object, std::size_t size,
             bool reads_only);

  /// Of its last step, with that step.
  const Clock& of(ThreadId thread) const { return of_[thread]; }

  template <class Strip>
  void pass(Strip& strip, const ClockOps& clocks, std::uint64_t threads) {
    for (; threads; threads &= threads - 1) clocks.pass(strip, of_[std::countr_zero(threads)]);
    strip.pass_lists(slots_, parts_);
  }

 private:
  /// What is accessed together: bytes of a word.
  struct Part {
    ObjectId word;
    std::uint32_t next;  // 1 + where the next part of the same word is
    std::uint8_t mask;
    Clock written, touched;  // by all who wrote; by all
  };
  std::uint32_t& first_of(ObjectId word);
  std::uint32_t add(ObjectId word, std::uint8_t mask);
  void grow();
  std::uint32_t join(const ClockOps& clocks, Clock& past, ObjectId word, std::uint8_t mask, bool reads_only);
  void note(const ClockOps& clocks, const Clock& past, std::uint32_t part, bool reads_only);

  Clock of_[max_threads];
  std::vector<Part> parts_;
  std::vector<std::uint32_t> slots_;  // 1 + where a word's first part is, found by hashing; a power of two
};

}  // namespace muster
