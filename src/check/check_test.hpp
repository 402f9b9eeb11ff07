#pragma once
// Check(X, m) of Line-Up (Figure 5), in this process: phase 1 observes all serial executions of one test, phase 2
// explores concurrent ones and requires a witness of each.

#include <chrono>
#include <functional>

#include "check/columns.hpp"
#include "check/steering.hpp"
#include "judge/synchronisation/synchronisation.hpp"
#include "rule/observation_set.hpp"
#include "rule/result.hpp"
#include "search/slot.hpp"
#include "search/strategy_config.hpp"

namespace muster {

/// An observation file to judge by, instead of what phase 1 observes.
struct Record {
  std::string text;
  std::string file;
};

/// An execution that was recorded, and the racy accesses that were points then.
struct RecordedExecution {
  std::vector<Decision> schedule;
  std::vector<std::uint32_t> racy_sites;
};

struct CheckOptions {
  StrategyConfig strategy{.late_yields = 0};  // of phase 2: a random one draws samples, whatever the bounds
  bool classic = false;                       // judge by Definition 1 alone
  Steering* steering = nullptr;               // of the strategy `predict`
  bool predicted_only = false;                // no search where given predictions show nothing
  bool recorded_only = false;  // none where the executions without preemptions, and what they predict, show nothing
  std::optional<RecordedExecution> replay;  // phase 2 is this one execution
  std::uint64_t most_serial_orders = 1'000'000;
  std::optional<Record> record;
  std::string quasi, quasi_spec;        // instead of those of the check, if given
  bool tell_histories = false;          // every distinct one, with how often it was met
  SyncOptions synchronisation;          // how checks with a synchronisation spec are judged
  std::optional<Incident> sought_race;  // the only thing that counts: a race between the same two places
  double test_seconds = 0;              // a test that takes longer is undecided; 0: no limit
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

/// What a worker checks tests with.
struct CheckBench {
  Engine& engine;
  WorkerSlot& slot;
  SharedPass& pass;  // of the worker that has the test
  const CheckDefinition& check;
  CheckOptions options;
  Interruption& interruption;
  std::uint64_t subject = 0;                         // the test, for its passes
  bool shareable = false;                            // others may help
  bool resumable = false;                            // what is left when it is stopped is kept
  const Rest* resume = nullptr;                      // what an earlier run has left of it
  const std::vector<std::byte>* observed = nullptr;  // by phase 1 in an earlier visit
  /// Told at once, so that it survives this process; the result of the test holds it, too.
  std::function<void(const Failure&)> found = {};
};

/// For tests that nobody else takes part in.
CheckBench lonely_bench(Engine& engine, WorkerSlot& slot, const CheckDefinition& check, const CheckOptions& options);

/// A test of the check, made whole: throws Error for one that is too large to enumerate.
TestResult check_test(CheckBench& bench, const Test& test);

/// Works at a test that another worker has, as long as there is something to do; `sites` are that worker's. Nothing if
/// it came too late.
std::optional<TestResult> help_test(CheckBench& bench, const Test& test, RacySites& sites);

/// Phase 1 alone; nothing if it failed or was not exhausted (then `result` says why).
std::optional<ObservationSet> observe(CheckBench& bench, const Test& test, Responses& responses, TestResult& result);

/// What a search has counted.
void take_counts(TestResult& result, const Counters& counters);

}  // namespace muster
