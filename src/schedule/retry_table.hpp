#pragma once
// Which failed attempts left nothing behind. A thread that read, failed, read again and is now about to write is where
// it would be, had it read only the second time: then the execution with the failed attempt shows nothing that the one
// without does not, and the thread is given up there. "Where it would be" is looked up: the execution without the
// failed attempt is part of the search, too. Until it was seen the answer is a guess; a guess that proves wrong, or is
// never confirmed, makes the search begin anew without it.

#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "schedule/arrival.hpp"

namespace muster {

class RetryTable {
 public:
  /// `state` gives a hash of all that the thread's future depends on besides what others do.
  /// Whether the tries before the last one can be left out.
  bool leaves_nothing(const Arrival& arrival, const std::function<std::uint64_t()>& state);

  /// Guesses that were wrong: what was left out because of them is missing.
  bool refuted() const { return refuted_; }
  /// Gives up guesses that nothing confirmed; whether there were any.
  bool drop_unconfirmed();
  /// The search begins anew: what is known about states stays true.
  void restart();

 private:
  struct Guess {
    std::uint64_t state;
    SiteId site;
  };
  std::unordered_map<std::uint64_t, std::uint64_t> states_;  // by start, reads and site
  std::unordered_map<std::uint64_t, Guess> guesses_;         // the same for what was not seen yet
  std::unordered_set<SiteId> hopeless_;                      // sites where guesses were wrong
  bool refuted_ = false;
};

}  // namespace muster
