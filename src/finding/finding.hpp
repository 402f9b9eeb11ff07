#pragma once
// The values that results are told in. Whoever finds something fills them; whoever draws reports reads them; nobody
// else is needed.

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/tally.hpp"
#include "finding/reproduction.hpp"
#include "finding/words.hpp"

namespace muster {

/// One step of an interleaving: a thread did something to something, somewhere.
struct Step {
  std::string thread;     // "main", "A", "B" …
  std::string operation;  // the operation it is part of, if any
  std::string action;     // "stores", "locks", "waits for"
  std::string object;     // a stable name: "counter", "block#2 (stack.hpp:31)"
  std::string place;      // "stack.hpp:31"
  std::string file;       // the whole path
  int line = 0;
  bool switched = false;   // another thread ran before
  bool decisive = false;   // the finding shows here
  std::string why;         // of a switch: what the thread before is waiting for, if anything
  std::string detail{};    // stands right after the object: "= 1", "n1 → null", ": notified by B"
  std::string caller{};    // where the function was called that the place is in, "list.hpp:70", if that says more
  std::string source{};    // the line at the place
  bool no_return = false;  // after it, no schedule comes out right
  bool decides = false;    // if the conflicting one came first, it would come out right
  bool races = false;      // the first access of a race, whose second one is where it shows

  bool operator==(const Step&) const = default;
};

/// One operation as a bar on a timeline.
struct TimelineOperation {
  std::string thread;
  std::string call;    // "push(1)"
  std::string answer;  // "nothing"; empty if there is none
  std::int64_t begin = 0;
  std::int64_t end = 0;  // of no meaning while pending
  bool pending = false;  // never returned
  int line = 0;          // in the log it was read from
  bool core = false;     // one of the few that show the failure
  bool blamed = false;   // the one that no order explains
  bool late = false;     // of those few: it returned only after the failure showed

  bool operator==(const TimelineOperation&) const = default;
};

/// A serial order that was tried, up to where it fails.
struct Attempt {
  std::vector<std::uint32_t> order;  // operations of the timeline; the last one is where it fails
  std::vector<std::string> answers;  // that this order gives, where they are known
  std::string why;                   // it fails; empty for an order that explains everything

  bool operator==(const Attempt&) const = default;
};

/// An operation that took effect elsewhere than its place in the order: a relaxed object answers out of turn.
struct Displacement {
  std::uint32_t operation = 0;
  std::uint32_t instead_of = 0;  // the operation whose turn it was
  std::uint32_t distance = 0;

  bool operator==(const Displacement&) const = default;
};

/// What was done to the system beside the operations, such as a network that was cut.
struct TimelineDisturbance {
  std::int64_t at = 0;
  std::string text;
  int line = 0;  // in the log it was read from

  bool operator==(const TimelineDisturbance&) const = default;
};

/// The thread of operations in a log that does not say whose they were.
constexpr const char* nobody = "all";

struct Timeline {
  std::string unit;  // of begin and end: "ns", or empty for positions in the order of calls and returns
  std::vector<TimelineOperation> operations;
  std::vector<Attempt> attempts;
  std::vector<std::vector<std::uint32_t>> joins;  // operations that took effect together
  std::vector<std::string> join_names;            // what each of these is called
  std::vector<Displacement> displacements;
  std::vector<TimelineDisturbance> disturbances;

  bool operator==(const Timeline&) const = default;
};

struct Finding : Reproduction {
  std::string cause;  // why, in one sentence, as far as executions near it show it
  std::string file;   // where it says that it did; empty: in the decisive step
  int line = 0;
  bool proven = true;  // false: undecided, such as a possible hang, or predicted
  FindingGrade grade = FindingGrade::none;
  unsigned preemptions = 0;
  std::uint64_t execution = 0;  // the how-manieth execution showed it
  std::vector<Step> steps;
  Timeline timeline;
  std::vector<std::string> notes;       // what else helps to understand
  std::vector<std::string> matrix;      // of a check: its test as lines, with the answers seen
  std::vector<std::string> afterwards;  // said after the interleaving: the serial orders
  std::string saved_as;                 // ".muster/name-1"

  bool operator==(const Finding&) const = default;
};

/// What a search covered, in words that a report can print.
struct CoverageReport : Tally {
  std::uint64_t complete = 0;   // that came to an end of their own: finished, stuck, or a finding
  std::string tests;            // of a check: which ones
  std::string part;             // of these, if not all were this program's to run: "shard 2 of 4"
  std::uint64_t tests_run = 0;  // so many of them, to their end
  std::uint64_t tests_known = 0;
  double seconds = 0;
  std::uint64_t executions_left = 0;  // about, of a search that ended early; 0: none, or not known
  bool exhausted = false;             // all that was asked for was covered
  bool sampled = false;               // all the random executions that were asked for were made
  bool all_schedules = false;
  bool reduced = false;  // by an execution of each class, although another search was asked for
  bool some_bound_exhausted = false;
  bool unbounded = false;    // no bound on preemptions was asked for
  std::string symmetry;      // "threads" or "data" if those were explored under one naming only
  unsigned preemptions = 0;  // the bound
  unsigned late_yields = 0;
  std::string strategy;
  std::vector<std::string> opaque_libraries;  // code that could not be watched
  std::vector<std::string> unwatched_calls;   // functions of such code, and of the C library, that executions called
  std::vector<std::string>
      weak_orders;  // places whose order is weaker than sequential consistency: explored as if it were not
  std::vector<std::string> allocators;  // that the program brings itself
  std::vector<std::string> notes;       // what else was seen
  std::vector<std::string> warnings;    // what may be a mistake in the check

  bool operator==(const CoverageReport&) const = default;
};

/// `preemptions` is what strategies take as a bound, where very many mean none.
void tell_bound(CoverageReport& coverage, unsigned preemptions);

/// Whether anything of it was run at all.
inline bool was_run(const CoverageReport& coverage) { return !coverage.strategy.empty(); }

struct Result {
  std::string subject;
  SubjectKind source = SubjectKind::scenario;
  Outcome outcome = Outcome::passed;
  std::string summary;                   // what was looked at, in one line; empty where the coverage says it
  std::vector<std::string> conclusions;  // of a log or a trace: what it is as a whole, a line each
  std::string stopped;                   // why it was not finished, if somebody or something stopped it
  std::string resume;                    // how to go on then
  std::vector<Finding> findings;
  Timeline timeline;  // of a log that passes, with the order that explains it
  CoverageReport coverage;

  bool operator==(const Result&) const = default;
};

/// That something was not decided, and why.
Finding open_question(const std::string& subject, const std::string& why);

/// Of one execution that was asked for: what it shows is left to the caller.
Result replay_of(const std::string& subject, SubjectKind source);

/// Of a search, by what it found and covered.
Outcome outcome_of(const Result& result);

/// Why a search ended before its end, as results tell it.
constexpr const char* stopped_by_budget = "stopped by the budget";
constexpr const char* stopped_by_somebody = "stopped before it was done";

/// A search that somebody stopped did not do what it was asked for; one that a budget ended did.
void stop(Result& result, const char* why);

/// Of something whose turn did not come.
Result not_run(const std::string& subject, SubjectKind source, const char* why);

/// Of something that is wrong itself, so that nothing could be looked at.
Result mistaken(const std::string& subject, SubjectKind source, const std::string& why);

/// What one program has to say: the unit that is written to a file, read back and merged.
struct Report {
  std::string program;           // as it was called
  std::vector<unsigned> shards;  // the parts of the work that were done, counted from 1
  unsigned shard_count = 0;      // of so many; 0: the work was not divided
  std::vector<Result> results;

  bool operator==(const Report&) const = default;
};

/// A finding, else undecided, else a part that was left, else a pass.
Outcome worse(Outcome a, Outcome b);
Outcome worst_outcome(const Report& report);

ExitCode exit_code(Outcome outcome);

/// Of several things that were looked at: a finding, else bad input, else undecided.
ExitCode worse(ExitCode a, ExitCode b);

}  // namespace muster
