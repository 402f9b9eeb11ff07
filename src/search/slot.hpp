#pragma once
// What the worker processes of a campaign share with each other and with their parent.

#include <cstdint>

#include "runtime/engine.hpp"
#include "search/search.hpp"
#include "search/shared_pass.hpp"

namespace muster {

/// The part of a search that a worker is at, for whoever takes care of what it leaves.
enum class JobState : std::uint8_t {
  none,
  taking,     // one part is done, and the next one not begun
  under_way,  // the schedule of the journal is in it
  given_up,   // between two executions, after that schedule
};

/// How far the search of a subject is.
struct SearchProgress {
  Counters made;       // but for the job under way
  bool begun = false;  // a pass was, in this process
  bool some_bound_exhausted = false;
  DepthFirstBounds exhausted{0, 0};  // the last ones
  bool done = false;                 // everything that was asked for was searched
  bool all_schedules = false;        // and the bounds left nothing out
  bool reduced = false;              // by a search by classes
};

/// What all workers share.
struct Board {
  std::uint64_t next = 0;   // number of the next subject
  std::uint64_t begun = 0;  // so many have a worker
  std::uint64_t least_failing = SharedPass::nothing;
  std::uint64_t stopped = 0;
};

/// One worker's own part of the shared memory.
struct WorkerSlot {
  static constexpr std::uint64_t none = SharedPass::nothing;
  Journal journal;
  RacySites racy_sites;
  bool draws = false;  // beside its search, whose schedule is meanwhile aside
  Schedule aside;
  std::uint64_t current = none;  // the subject it is at
  std::uint64_t again = none;    // a subject to do once more, alone
  unsigned attempt = 0;          // how many subjects it has begun
  bool spoilt = false;           // by a crash: another process shall go on
  SharedPass pass;               // of that subject, for others to join
  Counters counters;             // of the job under way
  JobState job = JobState::none;
  SearchProgress progress;    // of its part in the subject
  bool shows_again = false;   // the execution under way was found by another
  bool confirms = false;      // it shows what was found
  std::uint64_t host = none;  // the number of the slot it helps
  bool joined = false;        // it takes part in a pass there
};

inline std::uint64_t load(const std::uint64_t& value) { return __atomic_load_n(&value, __ATOMIC_RELAXED); }
inline void lower(std::uint64_t& value, std::uint64_t to) {
  std::uint64_t seen = load(value);
  while (to < seen && !__atomic_compare_exchange_n(&value, &seen, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

}  // namespace muster
