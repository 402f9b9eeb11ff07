#pragma once
// What checking tests gives: values that travel from workers to their parent.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/incident.hpp"
#include "base/tally.hpp"
#include "finding/words.hpp"
#include "rule/recorded.hpp"
#include "rule/test.hpp"
#include "schedule/rest.hpp"

namespace muster {

/// One call or return of a history, with the answer.
struct HistoryMark {
  std::uint8_t operation = 0;
  bool is_return = false;
  bool operator==(const HistoryMark&) const = default;
};

/// One serial run of a test: which operations in which order, and what each answered; "#" where it never returns.
struct SerialRun {
  std::vector<std::uint8_t> order;
  std::vector<std::string> answers;  // beside `order`
};

/// An operation that answered out of turn, and the one whose turn it was.
struct DisplacedCall {
  std::uint8_t operation = 0, instead_of = 0;
  std::uint32_t distance = 0;
};

/// Why a judge lets a history not pass.
struct Objection {
  FindingKind kind = FindingKind::not_linearizable;
  int blamed = -1;                           // the operation that answers what it never does serially
  std::vector<std::string> possible{};       // what it answers instead
  std::vector<std::string> serial_orders{};  // that keep the real-time order, those with most of the answers first
  std::vector<SerialRun> serial_runs{};      // the same ones
  std::vector<DisplacedCall> displaced{};    // in a quasi check, with the smallest factor that explains it
  std::vector<std::vector<std::uint8_t>> joins{};  // in a synchronisation check, of operations that are not blamed
  std::string note{};  // the other history of a nondeterminism, the broken invariant; what is out of order
};

/// The same with the execution that showed it, or what else went wrong in one.
struct Failure : Objection {
  Failure() = default;
  explicit Failure(Objection objection) : Objection(std::move(objection)) {}

  Test test;
  bool serial = false;   // it happened in phase 1
  bool planned = false;  // it was predicted: its schedule came from following a plan
  std::vector<Decision> schedule;
  std::vector<std::uint32_t> racy_sites;
  unsigned bound = 0;  // of the pass that found it
  unsigned preemptions = 0;
  bool expired = false;  // a timed wait reached its deadline
  std::vector<HistoryMark> marks;
  std::vector<std::string> answers;  // by operation; empty for those without
  std::optional<Incident> incident;  // a crash, a heap error … in an execution: what it failed by
  bool suspected = false;            // on real threads: nothing happened for long, but something still could
  bool minimal = false;              // no operation can be removed, shown by exhausted searches

  void show(const Incident& shown) {
    kind = kind_of(shown.kind);
    incident = shown;
  }
};

inline bool is_race(const Failure& failure) { return failure.incident && is_race(failure.incident->kind); }

/// A history that was met, or a class of histories, for whoever counts those of several processes.
struct MetHistory {
  static constexpr std::uint8_t stuck = 1, signalled = 2, misleading = 4, whole_class = 8;
  std::uint64_t key = 0;  // the same in every process
  std::uint8_t kind = 0;
};

struct ToldHistory {
  std::uint64_t times = 0;
  bool stuck = false;  // what is pending can never return
  std::string text;
};

enum class TestVerdict : std::uint8_t { passed, failed, undecided };

/// What was asked for and left a test undecided: the end of the run (its budget, or somebody stopped it), the test's
/// own budget, a number of random executions.
enum class Limit : std::uint8_t { none, run, test, sample };

/// Its tally is that of the second phase, but for the serial executions.
struct TestResult : Tally {
  std::uint64_t number = 0;  // of the test
  TestVerdict verdict = TestVerdict::undecided;
  std::optional<Failure> failure;
  std::string undecided;       // why
  Limit limit = Limit::none;   // if that is why
  std::vector<Failure> races;  // each with the first execution that showed it
  std::uint64_t serial_full = 0, serial_stuck = 0;
  int own_threads_bound =
      -1;  // phase 1 let the object's own threads preempt at most so often; -1: as often as they can
  std::uint64_t serial_steps = 0;
  bool leaves_out = false;       // not all histories of some class were judged
  std::uint64_t signalled = 0;   // histories that their signal points explain without a search
  std::uint64_t misleading = 0;  // histories that a search explains, although their signal points do not
  double serial_seconds = 0, seconds = 0;
  bool exhausted = false;
  double share_done = 0;  // of the search that was not, about
  bool all_schedules = false;
  bool reduced = false;  // by an execution of each class
  /// Of a quasi check: histories that are linearizable, those that only the factors explain, and those that neither
  /// does.
  std::uint64_t linearizable = 0, relaxed = 0, unexplained = 0;
  unsigned largest_factor = 0;    // that a history needs at least
  std::optional<Failure> widest;  // that history, with its schedule; none if all are linearizable
  std::vector<ToldHistory> told;  // histories with how often each was met
  // Of a test at which several processes work, now or one after the other:
  std::uint64_t worker = 0;         // that has the test
  unsigned attempt = 0;             // of that worker
  unsigned helpers = 0;             // how many others have sent their part
  std::vector<MetHistory> met;      // to count each history once
  std::vector<std::byte> observed;  // what phase 1 has, for visits to come
  std::optional<Rest> rest;
};

/// What the tests of a check came to.
struct CheckRun {
  std::vector<TestResult> results;  // by number, those that were run
  std::vector<Failure> failures;    // made small, in the order of their tests
  bool complete = true;             // every test was run to its verdict, or up to the one reported
  bool out_of_time = false;         // the deadline came first
  double seconds = 0;
  double left = 0;  // executions, about, if it is not complete; 0: not known
};

/// It cannot pass if it leaves out histories. Of one that was stopped it is known later.
void heed_what_is_left_out(TestResult& result);

/// Adds another process's part in the same test.
void add_part(TestResult& result, const TestResult& part);

/// `letter` is the first byte: errors of workers begin with another one.
constexpr char result_letter = 'r';
std::vector<std::byte> encode(const TestResult& result, char letter);
TestResult decode_result(std::span<const std::byte> bytes);

}  // namespace muster
