#pragma once
// What seq_cst adds to the order of an execution's atomics: the relation psc of RC11 (Lahav, Vafeiadis, Kang, Hur,
// Dreyer, "Repairing Sequential Consistency in C/C++11", PLDI 2017, section 3.2) has no circle. Only an event that
// reads an older value, or stores below a newer one, can close a circle, so only such a choice is asked about, before
// it is made.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "memory/clock.hpp"

namespace muster {

class StrongOrder {
 public:
  using Index = std::uint32_t;  // 1 + the place of an event; 0: none, or the value from before all events

  /// An access of an atomic, a fence, or, with neither reads nor writes, whatever else orders threads.
  struct Event {
    Clock known;             // what happened before, with what it acquires itself
    std::uint32_t location;  // modification orders are apart
    Index source;            // of what it reads
    Index older;             // before it in modification order, if it writes
    std::uint16_t number;    // of the thread's clock
    ThreadId thread;
    bool reads, writes, strong;
    bool is_access() const { return reads || writes; }
  };

  void begin_execution();
  std::uint32_t new_location();
  std::size_t size() const { return events_.size(); }
  static constexpr std::size_t most = 2'000;  // events, for what is asked to be answered in time

  /// To be called before an event of a thread is added or asked about, with what the thread knows and its next number.
  void look_at(ThreadId thread, const Clock& known, std::uint16_t number);
  /// The next event of its thread; a write comes right before `newer` in modification order, 0: last.
  Index add(const Event& event, Index newer);
  /// Whether it can close a circle: it, or a fence before it, is seq_cst.
  bool matters_to(const Event& event) const { return event.strong || comes_after_fence(event); }
  /// Whether it would close one.
  bool forbids(const Event& event, Index newer);

  /// For reports of an older value. Writes after the newest one that were read, each on a way from there to the thread:
  /// it would have known of that one if all of these released and acquired. None: there is no such way.
  struct Link {
    Index write, read;
  };
  std::vector<Link> way_to(Index write, ThreadId thread) const;
  /// Whether this read would have been forbidden if it and all other accesses were seq_cst.
  bool would_forbid(const Event& event) const;
  /// The last event of a thread.
  Index last_of(ThreadId thread) const { return last_[thread]; }

  /// Where a thread was: when its next step happens by its own clock, and what it knew.
  struct Moment {
    Clock known;
    std::uint16_t number;
    ThreadId thread;
  };
  /// By `from`: the bits of those `to` that it comes before in every execution with these events, by happens-before,
  /// or by one step from event to event of an atomic (eco) with happens-before around it.
  std::vector<std::uint64_t> forced(std::span<const Moment> from, std::span<const Moment> to);
  /// Whether any access or fence is seq_cst.
  bool has_strong() const;
  /// Whether psc has no circle either if callers order moments besides: each of these pairs, of places in `moments`.
  /// Those of one thread are told in the order in which it came to them.
  using Added = std::pair<std::size_t, std::size_t>;
  bool allows(std::span<const Moment> moments, std::span<const Added> added);

  template <class Strip>
  void pass(Strip& strip) {
    strip.pass_lists(events_, newest_, strong_fences_);
    strip.pass(last_);
  }

 private:
  struct Links {
    Index next_elsewhere, previous_elsewhere;  // of the same thread, at another location
    std::uint32_t position;                    // in modification order, of what it wrote or read
  };

  const Event& at(Index index) const { return events_[index - 1]; }
  bool comes_after_fence(const Event& event) const;
  void insert(const Event& event, Index newer);
  void take_back(Index newer);
  bool before(Index a, Index b) const;
  bool between_elsewhere(Index a, Index b) const;
  bool comes_first(Index a, Index b) const;
  bool is_seen(Index a, Index b) const;
  void link();
  std::vector<bool> events_after(const Moment& moment) const;
  bool comes_before(Index event, const Moment& moment) const;
  class WithCallers;
  bool leads(const std::vector<bool>& after, const std::vector<std::uint32_t>& first, const Moment& to) const;
  bool comes_back(Index through, bool from_fence);
  void follow(const std::vector<Index>& from, bool from_fence);
  void reach(Index strong);

  std::vector<Event> events_;
  std::vector<Index> newest_;  // write of each location
  std::vector<Index> strong_fences_;
  Index last_[Clock::lanes] = {};  // event of each thread

  // While a question is answered.
  std::vector<Links> links_;
  std::vector<bool> reached_;
  std::vector<Index> open_;
};

}  // namespace muster
