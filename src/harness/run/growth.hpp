#pragma once
// What a run of a check does with time that is left of an explicit budget once all that was asked for is covered: one
// more preemption in the tests it had, and tests that are larger, or others. It can only ever find something more.

#include "harness/options/options.hpp"

namespace muster {

/// The run with what was found beyond, if anything, and a note of what was covered. `preemptions` is the bound at which
/// all tests are exhausted in the end.
struct Grown {
  CheckRun run;
  unsigned preemptions = 0;
  std::vector<std::string> notes;
  std::string found_in;  // which tests, where the failure is none of those that were asked for
};

Grown grow(const CheckDefinition& check, const TestSource& source, const HarnessOptions& options,
           const CheckRunOptions& how, CheckRun run);

}  // namespace muster
