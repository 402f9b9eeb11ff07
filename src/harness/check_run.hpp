#pragma once
// Runs one check: its tests, what fails made small and replayed to see how it happened, told as a result.

#include "check/run.hpp"
#include "finding/finding.hpp"
#include "harness/checkpoint_file.hpp"
#include "harness/options.hpp"
#include "harness/saved.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

/// The tests that the options ask for.
TestSource tests_of(const CheckDefinition& check, const HarnessOptions& options);
CheckRunOptions check_run_options(const HarnessOptions& options);
SyncJudge synchronisation_judge(const HarnessOptions& options);

/// With `rest`, says there which tests need not be run again.
Result run_check(const CheckDefinition& check, const HarnessOptions& options, Symbolizer& symbolizer,
                 ProgramCheckpoint* rest = nullptr);

/// Runs the schedule of a saved failure again and shows what happens; for debuggers, in this process.
Result replay_check(const CheckDefinition& check, const HarnessOptions& options, const SavedFailure& saved,
                    Symbolizer& symbolizer, bool in_this_process);

}  // namespace muster
