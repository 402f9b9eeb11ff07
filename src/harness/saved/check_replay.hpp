#pragma once
// A schedule of a check, saved or given by hand, run again and judged as searches judge.

#include "finding/finding.hpp"
#include "harness/options/options.hpp"
#include "harness/saved/saved.hpp"
#include "muster/check_definition.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

/// For debuggers, in this process: then nothing but the program runs, and what was saved by this very build is
/// believed.
Result replay_check(const CheckDefinition& check, const HarnessOptions& options, const SavedFailure& saved,
                    Symbolizer& symbolizer, bool in_this_process, bool silent = false);

}  // namespace muster
