#pragma once
// The races that the tests of a check have shown.

#include "finding/finding.hpp"
#include "harness/options/options.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

/// Races that are alike are told once, with a test that is made small.
void add_races(Result& result, const CheckDefinition& check, const CheckRun& run, HarnessOptions options,
               Symbolizer& symbolizer);

}  // namespace muster
