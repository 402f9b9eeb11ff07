#pragma once
// Older values of atomics, as C++ lets threads read them: for each atomic a list of messages in modification order, of
// which a thread may read those from its floor up, the newest one that happens-before makes it know. A store may take a
// place above the floor, but none between an update and what that read; an update takes the place right after what it
// read. What seq_cst adds is asked of StrongOrder. tests/memory/README.md has the rules and why they hold.
//
// The newest value of an atomic is in memory, and what it was released by is kept by the race detector. So most
// accesses only note here that they were made.

#include <array>
#include <vector>

#include "memory/causal_past.hpp"
#include "memory/clock.hpp"
#include "memory/order.hpp"
#include "memory/strong_order.hpp"

namespace muster {

/// What an atomic holds, of 16 bytes or fewer.
using Bits = unsigned __int128;

class Messages {
 public:
  /// 1 + the place of a message; 0: none.
  using Number = std::uint32_t;

  /// An access that is about to be made.
  struct Request {
    ThreadId thread;
    std::uint16_t number;  // of the thread's clock
    const Clock& known;
    bool reads, writes;    // an update that may not write: both
    Order order, failure;  // the second one if it turns out to write nothing
    SiteId site;
    bool may_fail = false;  // though it would write: a weak exchange
  };
  /// The message that is read, or, of a store, the one right above which it goes.
  struct Choice {
    Number message;
    bool newest;
    bool fails = false;  // for no reason
  };

  explicit Messages(const ClockOps& clocks) : clocks_(clocks) {}

  void begin_execution();
  /// Everything so far happened before whatever comes: nobody can read what is not the newest.
  void forget();

  /// To be called before an access or a fence of a thread that is not alone.
  void prepare(const Request& request);
  /// Makes sure that the list of an atomic, by the race detector's number, ends with what is in memory: it begins anew
  /// where others than messages wrote, which other stamps tell.
  void look_at(std::uint32_t atomic, Bits in_memory, std::uint32_t stamp, bool anew);
  /// The choices that an access has, the newest first, and how many there are. `writes` tells whether an update of this
  /// value would write. `every`: also those that another order of the same steps shows.
  static constexpr unsigned most_choices = 60;
  using Choices = std::array<Choice, most_choices>;
  template <class Writes>
  unsigned list_choices(std::uint32_t atomic, const Request& request, Writes writes, bool every, Choices& into);
  /// The same for this message in all executions that have it; never 0. From before the list there is one.
  std::uint32_t name(Number message) const {
    return message == 0 || at(message).event == 0 ? 1 : (at(message).writer + 1u) << 16 | at(message).number;
  }
  /// Who wrote a message, by which order, and the low half of where; no thread: it is from before the list.
  struct Author {
    ThreadId thread;
    Order order;
    std::uint32_t site;
    StrongOrder::Index event;
  };
  Author author(Number message) const {
    return {at(message).writer, at(message).order, at(message).site, at(message).event};
  }
  /// Whether no access would read this message if all were seq_cst.
  bool would_be_forbidden(std::uint32_t atomic, const Request& request, Number message) {
    return order_.would_forbid(event(lists_[atomic], request, message, false));
  }
  Number newest(std::uint32_t atomic) const { return lists_[atomic].newest; }
  Bits value(Number message) const { return at(message).value(); }
  const Clock& released(Number message) const { return at(message).released; }

  /// The newest message is about to become an older one: what it was released by.
  void keep_release(std::uint32_t atomic, LocationClock released);
  /// An access was made: after the clocks of its thread changed by it.
  void has_read(std::uint32_t atomic, const Request& request, const Choice& choice);
  /// `released` if it is not the newest.
  void has_written(std::uint32_t atomic, const Request& request, const Choice& choice, Bits value,
                   const Clock* released);
  void has_fenced(const Request& request);

  /// A thread is about to be started.
  void start(ThreadId parent, ThreadId child) { past_.start(clocks_, parent, child); }
  /// A step conflicts with others that touch the same, unless both only read.
  void touch(const Request& request, ObjectId object, std::size_t size, bool reads_only) {
    past_.learn(clocks_, request.thread, request.known);
    past_.touch(clocks_, request.thread, request.number, object, size, reads_only);
  }
  /// How many choices were not the newest.
  std::uint32_t older_choices() const { return older_choices_; }
  /// For who asks what comes before what at the end of an execution.
  StrongOrder& order() { return order_; }
  /// There is too much of something to go on.
  bool too_long() const { return too_long_ || messages_.size() > most_messages; }

  template <class Strip>
  void pass(Strip& strip, std::uint64_t threads) {
    strip.pass(older_choices_);
    strip.pass(too_long_);
    strip.pass_lists(lists_, messages_);
    past_.pass(strip, clocks_, threads);
    order_.pass(strip);
  }

 private:
  struct Message {
    std::array<std::uint64_t, 2> words;
    Number older;
    StrongOrder::Index event;  // that wrote it; 0: it is from before the list
    std::uint32_t site;        // of the write, the low half of it
    std::uint16_t number;      // of the writer's clock
    ThreadId writer;
    Order order;
    bool update;
    Clock seen;      // each thread's clock when it wrote or first read this
    Clock released;  // what whoever acquires this knows, once it is not the newest
    Clock past;      // of the write, with it
    Bits value() const { return Bits{words[1]} << 64 | words[0]; }
  };
  struct List {
    Number newest = 0;
    std::uint32_t stamp = 0;
    std::uint32_t location = 0;  // for StrongOrder
  };

  static constexpr std::size_t most_messages = 10'000;

  Message& at(Number message) { return messages_[message - 1]; }
  const Message& at(Number message) const { return messages_[message - 1]; }
  Number add(Bits value);
  bool knows(const Clock& known, const Message& message) const;
  bool is_forced(const Message& message, const Clock& past) const;
  bool is_essential(const List& list, const Request& request, Number message) const;
  bool is_allowed(const List& list, const Request& request, Number message, Number newer, bool writes);
  StrongOrder::Event event(const List& list, const Request& request, Number message, bool writes) const;

  const ClockOps& clocks_;
  std::vector<List> lists_;  // by the race detector's number
  std::vector<Message> messages_;
  CausalPast past_;
  StrongOrder order_;
  std::uint32_t older_choices_ = 0;
  bool too_long_ = false;
};

/// The newest is always allowed: nothing leaves it in happens-before or psc, so it is on no circle. An older message is
/// read, and a place below a newer one taken, only where all that is newer comes first in any case: else another order
/// of the same steps shows the same.
template <class Writes>
unsigned Messages::list_choices(std::uint32_t atomic, const Request& request, Writes writes, bool every,
                                Choices& into) {
  const List& list = lists_[atomic];
  unsigned count = 0;
  for (Number message = list.newest, newer = 0;; newer = message, message = at(message).older) {
    if (newer == 0 || every || is_essential(list, request, message)) {
      const bool would_write = request.writes && (!request.reads || writes(value(message)));
      if (is_allowed(list, request, message, newer, would_write)) into[count++] = {message, newer == 0, false};
      if (would_write && request.may_fail && is_allowed(list, request, message, newer, false))
        into[count++] = {message, newer == 0, true};
    }
    if (at(message).event == 0 || knows(request.known, at(message))) return count;
    if (count + 2 > most_choices) {
      too_long_ = true;
      return count;
    }
  }
}

}  // namespace muster
