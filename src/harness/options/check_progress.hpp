#pragma once
// How far a check got before it was stopped: tests that are done, what they came to, and those that were begun.

#include <string>
#include <vector>

#include "harness/options/part.hpp"
#include "rule/totals.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

struct BegunTest {
  std::uint64_t number = 0;             // in the shard
  TestResult part;                      // what was done of it, with the rest
  std::vector<std::string> racy_sites;  // those of the rest, as "module+0x12"
};

struct CheckProgress {
  std::vector<NumberRange> tests_done;  // in the numbers of the shard
  CheckTotals totals;                   // of these
  std::uint64_t tests_known = 0;        // in the shard
  std::vector<NumberRange> elsewhere;   // tests that other parts of the run see to
  std::vector<BegunTest> begun;
};

/// Lines of "name: value".
std::string to_text(const CheckProgress& progress);
/// Takes one such line; false if it is none.
bool parse_entry(CheckProgress& progress, const std::string& name, const std::string& value);

/// Tests that are not to be run.
std::vector<NumberRange> not_to_run(const CheckProgress& progress);

/// The begun tests for a run of `part`, by their numbers there.
std::map<std::uint64_t, TestResult> begun_tests(const CheckProgress& progress, const TestPart& part,
                                                Symbolizer& symbolizer);

/// `before` with what the tests of a run came to.
CheckProgress progress_after(const CheckProgress& before, const std::vector<TestResult>& results, const TestPart& part,
                             Symbolizer& symbolizer);

}  // namespace muster
