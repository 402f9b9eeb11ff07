#pragma once
// Which failed attempts left nothing behind. A thread that read, failed, read again and is now about to write is where
// it would be, had it read only the second time: then the execution with the failed attempt shows nothing that the one
// without does not. "Where it would be" is looked up by what it began with and read since.

#include "base/key_table.hpp"
#include "reduction/arrival.hpp"

namespace muster {

class RetryTable {
 public:
  /// A state that must be `expected` where a thread arrives as `key` says, if the tries before its last one left
  /// nothing.
  struct Claim {
    std::uint64_t key;
    std::uint64_t expected;
  };
  enum class Answer : std::uint8_t { no, yes, unknown };

  /// Remembers an arrival. `state` gives a hash of all that the thread's future depends on besides what others do.
  std::uint64_t remember(const Arrival& arrival, StateHash state);
  /// What leaving out the tries before the last one of an arrival claims, which is in `state`.
  static Claim claim(const Arrival& arrival, std::uint64_t state);
  Answer holds(const Claim& claim) const;

 private:
  KeyMemo states_;  // by start, reads and site
};

}  // namespace muster
