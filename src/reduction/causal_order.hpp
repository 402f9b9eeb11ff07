#pragma once
// The transitions of one execution with what each touches, what happened before it, and which pairs of them race:
// conflict, with nothing in between, and could come the other way round.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "reduction/access.hpp"

namespace muster {

/// The number of a transition in its execution; 0 is the first.
using TransitionIndex = std::uint32_t;

struct Race {
  TransitionIndex earlier;
  TransitionIndex later;  // the number of transitions, if it is one that could not happen
  ThreadId thread;        // that makes the later one
};

class CausalOrder {
 public:
  CausalOrder();

  std::uint32_t size() const { return static_cast<std::uint32_t>(transitions_.size()); }
  ThreadId thread(TransitionIndex i) const { return transitions_[i].thread; }
  std::span<const Access> accesses(TransitionIndex i) const;
  /// Whether transition i happened before j, or is j.
  bool before(TransitionIndex i, TransitionIndex j) const { return clock(j)[transitions_[i].thread] > i; }
  /// The last transition of a thread so far; nothing is -1.
  std::int64_t last_of(ThreadId thread) const { return static_cast<std::int64_t>(last_[thread]) - 1; }

  /// Whether all that the others did so far happened before the last transition, which is of this thread.
  bool knows_all(ThreadId thread) const;
  /// Whether a thread took more than it gave back, of what others may wait for.
  bool holds_something(ThreadId thread) const {
    return last_[thread] != 0 && transitions_[last_[thread] - 1].held != 0;
  }

  /// Whether any thread had something to wait for. Thread 0 waits for the end of the others, in no operation.
  bool somebody_waits() const { return !transitions_.empty() && transitions_.back().somebody_waits; }

  /// Preemptions that no order of these transitions can do without, at least.
  unsigned forced_preemptions() const { return transitions_.empty() ? 0 : transitions_.back().forced; }

  void begin(ThreadId thread);
  void add(const Access& access);
  /// The last transition is complete: puts it in order, and its races into `races`.
  void close(std::vector<Race>& races);
  bool closed() const { return closed_; }
  /// The races of something that a thread waits for and never gets.
  void waiting(ThreadId thread, const Access& access, std::vector<Race>& races);

  /// Forgets all transitions from number `size` on.
  void truncate(std::uint32_t size);

 private:
  using ClockRow = std::array<std::uint32_t, 64>;  // by thread: 1 + its last transition that happened before
  struct Transition {
    ThreadId thread;
    bool free_switch;        // leaving the thread after this is no preemption
    bool somebody_waits;     // so far, other than thread 0
    std::int16_t held;       // by its thread afterwards, of what others may wait for
    std::uint32_t plain;     // where its accesses begin, as they came
    std::uint32_t entries;   // and by words
    std::uint32_t previous;  // 1 + the transition of its thread before
    unsigned forced;
  };
  /// The last entry for a word, and the last that is no read, which is all that a read conflicts with; 0: none.
  struct Last {
    std::uint32_t any = 0, but_reads = 0;
  };
  struct Entry {
    Access access;
    TransitionIndex transition;
    Last previous;  // before it, for the same word
    std::uint32_t slot;
  };
  struct Predecessor {
    TransitionIndex transition;
    ObjectId object;
    bool awaited;  // it ended the waiting of this one: cannot come later
    bool took;     // it made this one wait
    bool alternative, counted;
  };

  const ClockRow& clock(TransitionIndex i) const { return clocks_[i]; }
  void copy(const ClockRow& from, ClockRow& to) const;
  void join(const ClockRow& other, ClockRow& into) const;
  std::uint32_t slot_of(ObjectId word);
  void grow();
  void append(const Access& piece);
  void collect(const Access& access, const Last& last, TransitionIndex self, const ClockRow& known);
  void find_races(ThreadId thread, TransitionIndex self, const ClockRow& known, std::vector<Race>& races);

  std::vector<Transition> transitions_;
  std::vector<ClockRow> clocks_;  // at least as many as transitions
  std::vector<Entry> entries_;
  std::vector<Access> plain_;  // the accesses as they came, for `accesses`
  std::array<std::uint32_t, 64> last_{};
  struct Slot {
    ObjectId word = ~ObjectId{0};
    Last last;
  };
  std::vector<Slot> slots_;
  std::size_t used_slots_ = 0;
  std::vector<Predecessor> predecessors_;
  unsigned threads_ = 0;
  bool closed_ = true;
};

}  // namespace muster
