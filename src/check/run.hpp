#pragma once
// Checks many tests in worker processes, and makes what fails small.

#include <functional>
#include <map>

#include "check/check_test.hpp"
#include "rule/test_source.hpp"
#include "search/campaign.hpp"

namespace muster {

/// How far a run is, for whoever waits.
struct TestProgress {
  std::uint64_t done = 0, count = 0;  // tests
  std::uint64_t executions = 0, histories = 0, failing = 0;
  double left = 0;    // executions, about; 0: not known
  std::string round;  // of a portfolio: what all tests are searched for now
  double begun = 0;   // shares of the tests under way that are done, of the bound they are at; added up
};

struct CheckRunOptions : CampaignOptions {
  CheckOptions check;
  std::uint64_t minimise = 1;                         // so many failures are made small, the first ones
  double minimise_seconds = 30;                       // at most, each
  bool is_one_of_several = false;                     // runs over the same tests: others follow
  std::map<std::uint64_t, TestResult> resume;         // what an earlier run did of tests, by number, with what it left
  std::function<void(const TestProgress&)> progress;  // called about five times a second
};

/// Observes one test serially, in a worker, and gives back the observation file. Throws Error if the class is
/// nondeterministic there.
std::string observe_test(const CheckDefinition& check, const Test& test, const CheckRunOptions& options);

/// The same as values.
std::vector<SerialRun> serial_runs_of(const CheckDefinition& check, const Test& test, const CheckRunOptions& options);

CheckRun run_tests(const CheckDefinition& check, const TestSource& source, const CheckRunOptions& options);

}  // namespace muster
