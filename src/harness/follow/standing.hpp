#pragma once
// Where the threads of an execution stand, as far as its events tell: inside which transactions, and holding which
// locks.

#include <array>
#include <vector>

#include "instrument/tap.hpp"

namespace muster {

class Standing {
 public:
  /// `whole_threads`: each thread is one transaction, whatever it marks.
  explicit Standing(bool whole_threads) : whole_threads_(whole_threads) {}

  void begin_execution();
  /// The running thread made an event other than an access, or is about to take a lock.
  void event(ThreadId thread, tap::Kind kind, std::uint64_t object, SiteId site);
  void approach_lock(ThreadId thread, SiteId site) { threads_[thread].site = site; }

  /// The number of the transaction that the thread is in; 0 if in none.
  std::uint32_t transaction(ThreadId thread) const;
  bool holds_locks(ThreadId thread) const { return !threads_[thread].held.empty(); }
  /// Whether it holds a lock so that another one cannot take it, `shared` or not.
  bool keeps(ThreadId thread, std::uint64_t lock, bool shared) const;
  /// Where it made its last event or is about to make the next.
  SiteId site(ThreadId thread) const { return threads_[thread].site; }

 private:
  struct Held {
    std::uint64_t lock;
    bool shared;
    bool operator==(const Held&) const = default;
  };
  struct State {
    std::uint32_t transactions = 0, depth = 0;
    std::vector<Held> held;  // reentrant ones repeatedly
    SiteId site = 0;
  };

  bool whole_threads_;
  std::array<State, max_threads> threads_;
};

}  // namespace muster
