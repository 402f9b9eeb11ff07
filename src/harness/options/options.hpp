#pragma once
// What a test program is asked to do.

#include <string>
#include <vector>

#include "check/run.hpp"
#include "harness/options/check_progress.hpp"
#include "harness/options/part.hpp"
#include "report/files.hpp"
#include "search/program_search.hpp"

namespace muster {

struct HarnessOptions {
  std::vector<std::string> names;  // scenarios to run; none: all
  bool list_tests = false;
  bool estimate = false;  // say how many executions there are, and run nothing else
  std::string replay;     // a saved failure's name or a schedule
  std::string recheck;
  std::uint64_t verify_replay = 0;  // schedules to draw and run twice
  StrategyConfig strategy;
  ExploreOptions explore;
  double budget_seconds = 0;              // for all that is run; 0: none
  std::string size;                       // of random tests: threads x operations; empty: what fits the check
  std::uint64_t tests = 100;              // random ones
  bool uniform_tests = false;             // with the same chance for all
  bool automatic = false;                 // AutoCheck instead
  std::vector<std::string> matrices;      // given tests instead
  std::string observations;               // an observation file to write
  std::string against;                    // an observation file to judge by
  double test_seconds = 0;                // a test that takes longer is undecided
  bool classic = false;                   // judge by the original definition of linearizability
  bool all_tests = false;                 // run all tests, whatever fails
  std::uint64_t minimise = 1;             // so many failures of a check are made small
  std::string quasi, spec;                // factors, and the built-in object, instead of those of a check
  std::string histories;                  // a file to which all distinct histories of the tests are written
  std::string judge = "automatic";        // of checks with a synchronisation spec
  bool stress = false;                    // on real threads, without control
  std::uint64_t stress_runs = 0;          // of each test or scenario; 0: 100 and 1000
  double patience = 2;                    // seconds without progress after which a run is given up
  std::string summary;                    // a file to which a line of figures is added for each check
  bool report_races = true;               // where not, they are found all the same: what comes of a race is no race
  std::vector<std::string> suppressions;  // regular expressions over functions and files of races
  std::vector<std::string> descriptions;  // files that say what functions do that are not watched
  std::uint64_t cause_executions =
      10'000;                 // to look for the point of no return of a failure; 0: no cause is looked for
  bool all_findings = false;  // also those that are like another one
  bool keep_going = false;    // do not stop at the first finding of a scenario
  bool require_exhausted = false;
  bool quiet = false;
  Shard shard;           // the part of the work that is done here
  CheckProgress before;  // what an earlier run has done of the check
  std::function<void(const TestProgress&)> test_progress;
  std::string checkpoint;              // a file to write when the run is stopped
  std::string resume;                  // a file that such a run wrote
  std::string resume_command;          // goes on with this run from its checkpoint
  std::string list_what;               // "names", "tests" or "histories": list these, and run nothing
  ReportFiles files;                   // reports to write
  std::string program;                 // as it was called
  std::vector<std::string> arguments;  // of an ordinary main
  std::string folder = ".muster";      // where failures are saved
};

}  // namespace muster
