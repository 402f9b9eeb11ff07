#pragma once
// The values that results are told in. Whoever finds something fills them; whoever draws reports reads them; nobody else is needed.

#include <cstdint>
#include <string>
#include <vector>

namespace muster {

/// Three answers to "did it pass?".
enum class Outcome : std::uint8_t { passed, failed, undecided };

/// One step of an interleaving: a thread did something to something, somewhere.
struct Step {
  std::string thread;     // "main", "A", "B" …
  std::string operation;  // the operation it is part of, if any
  std::string action;     // "stores", "locks", "waits for"
  std::string object;     // a stable name: "counter", "block#2 (stack.hpp:31)"
  std::string place;      // "stack.hpp:31"
  std::string file;       // the whole path
  int line = 0;
  bool switched = false;  // another thread ran before
  bool decisive = false;  // the finding shows here
};

struct Finding {
  std::string subject;   // the scenario or check
  std::string kind;      // "deadlock", "race" …
  std::string sentence;  // what went wrong, in one sentence
  bool proven = true;    // false: undecided, such as a possible hang
  std::string schedule;
  unsigned preemptions = 0;
  std::uint64_t execution = 0;  // the how-manieth execution showed it
  std::vector<Step> steps;
  std::vector<std::string> notes;       // what else helps to understand
  std::string test;                     // of a check: the test that fails, as text
  std::vector<std::string> matrix;      // and as lines, with the answers seen
  std::vector<std::string> afterwards;  // said after the interleaving: the serial orders
  std::vector<std::string> racy_sites;  // plain accesses that the schedule counts as points, as "module+0x12"
  bool planned = false;                 // the schedule came from following a plan
  std::string saved_as;                 // ".muster/name-1"
};

/// What a search covered, in words that a report can print.
struct CoverageReport {
  std::uint64_t executions = 0;
  std::uint64_t histories = 0;
  std::string tests;  // of a check: which ones
  double seconds = 0;
  double cpu_seconds = 0;
  std::uint64_t steps = 0;
  std::uint64_t abandoned = 0;  // executions given up because they repeat others
  bool exhausted = false;
  bool all_schedules = false;
  bool some_bound_exhausted = false;
  unsigned preemptions = 0;
  unsigned late_yields = 0;
  std::uint64_t held_back = 0;  // executions in which a spinning thread was held back
  std::uint64_t cut = 0;        // executions cut at the step limit
  std::string strategy;
  std::vector<std::string> opaque_libraries;  // code that could not be watched
  std::vector<std::string> weak_orders;       // places whose order is weaker than sequential consistency: explored as if it were not
  std::vector<std::string> allocators;        // that the program brings itself
  std::vector<std::string> notes;             // what else was seen
  std::vector<std::string> warnings;          // what may be a mistake in the check
};

struct Result {
  std::string subject;
  Outcome outcome = Outcome::passed;
  std::vector<Finding> findings;
  CoverageReport coverage;
};

}  // namespace muster
