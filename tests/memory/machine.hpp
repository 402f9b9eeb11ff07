#pragma once
// Memory as messages and clocks: RC11 step by step. docs/proofs/essential-rule.md tells the rules and why they hold.
//
// A location is a list of messages in modification order. A thread may read from its floor up, the newest message that
// happens-before makes it know: one that it, or somebody whose clock it has, wrote or read. A store takes a place above
// the floor, but never one between an update and what that read. What seq_cst adds is decided with each choice that is
// not the newest; the newest is always allowed.

#include <cstdint>
#include <vector>

#include "memory/graph.hpp"
#include "memory/outcome.hpp"

namespace muster::weak {

using Threads = std::uint32_t;  // a set
using Past = std::uint64_t;     // a set of events
constexpr Threads only(unsigned thread) { return Threads{1} << thread; }

/// Which choices other than the newest are taken.
enum class Rule : std::uint8_t {
  newest,     // none: the values of sequential consistency
  all,        // every one that is allowed
  essential,  // where all that is newer comes first in any case: else another order shows the same
  by_thread,  // the same, but a read looks only at what its thread knows. Misses outcomes
};

/// What becomes of a thread that is back where it was, with nothing done since that others could notice.
enum class Loops : std::uint8_t {
  end,   // it makes no more steps
  wait,  // it makes another turn with the newest values, and then waits until one of them is another value
};

/// A message that is read, or the place that a store takes.
struct Choice {
  unsigned place;
  bool fails;  // a weak exchange, for no reason
  bool newest;
};

class Machine {
 public:
  Machine(const std::vector<ThreadCode>& code, Rule rule, Loops loops);

  Threads enabled() const;
  /// The newest first.
  std::vector<Choice> choices(unsigned thread) const;
  void step(unsigned thread, const Choice& choice);

  /// A thread was given up whose last turn does not show that it waits for ever.
  bool ends_too_early() const;
  bool was_given_up(unsigned thread) const { return threads_[thread].state == ThreadState::given_up; }
  Outcome outcome() const;

  const Graph& graph() const { return graph_; }
  /// Whether an event comes before another one whatever the order of steps that commute.
  bool before(EventIndex earlier, EventIndex later) const { return past_[index(later)] >> earlier & 1; }
  /// The last event of a thread; -1: none.
  EventIndex last_of(unsigned thread) const { return threads_[thread].last; }
  static bool conflict(const Access& left, const Access& right) {
    return left.location == right.location && !left.is_fence() && !right.is_fence() && (left.writes || right.writes);
  }

 private:
  using Clock = std::array<std::uint16_t, most_threads>;
  struct Message {
    Value value = 0;
    bool update = false;
    EventIndex writer = initial;
    Clock seen;        // each thread's clock when it wrote or first read this; `never`
    Clock released{};  // what whoever acquires this knows
  };
  struct Look {
    Access access;
    bool failed;  // for no reason
  };
  struct ThreadState {
    Local local;
    Clock known{}, at_fence{}, acquirable{};  // what a release fence published, what an acquire fence may take
    EventIndex last = -1;
    std::vector<Local> since;  // where it was since it last did something that others can notice
    std::vector<Look> looks;   // what it did at each of these places
    std::vector<Look> turn;    // of these, what it did in the turn that ended where it began
    bool catches_up = false;   // reads the newest, and no exchange fails for nothing
    enum : std::uint8_t { running, given_up, waiting } state = running;
  };
  static constexpr std::uint16_t never = 0xffff;
  static std::size_t index(EventIndex event) { return static_cast<std::size_t>(event); }
  static Past only_event(EventIndex event) { return event < 0 ? 0 : Past{1} << event; }
  static void join(Clock& into, const Clock& other);

  Past with_past(EventIndex event) const { return event < 0 ? 0 : past_[index(event)] | only_event(event); }
  unsigned floor(unsigned thread, Location at) const;
  bool is_essential(unsigned thread, Location at, unsigned place, bool store) const;
  bool is_allowed(unsigned thread, const Choice& choice) const;
  Access access_of(unsigned thread, const Choice& choice) const;
  void read(unsigned thread, Message& message, Order order);
  void write(unsigned thread, const Access& access, unsigned place);
  void pass_fence(unsigned thread, Order order);
  void move_on(unsigned thread, const Look& look);
  void come_round(unsigned thread, std::size_t length);
  bool saw_the_newest(unsigned thread) const;
  Memory memory() const;

  const std::vector<ThreadCode>* code_;
  Rule rule_;
  Loops loops_;
  std::array<std::vector<Message>, location_count> messages_;
  std::vector<ThreadState> threads_;
  Graph graph_;
  std::vector<Past> past_;  // of each event
};

}  // namespace muster::weak
