#pragma once
// What there is to run, told instead of run: names, tests, their serial histories.

#include "harness/options/options.hpp"
#include "rule/test.hpp"

namespace muster {

void list_names();
void list_tests(const CheckDefinition& check, const HarnessOptions& options);

/// As trees.
void list_histories(const CheckDefinition& check, const HarnessOptions& options);

/// The observation set of one test, in Line-Up's form, or as a picture where the file's name ends in .svg.
void write_observations(const CheckDefinition& check, const HarnessOptions& options);

}  // namespace muster
