#pragma once
// Runs one check: its tests, what fails made small and replayed to see how it happened, told as a result.

#include <string>
#include <string_view>

#include "check/run.hpp"
#include "finding/finding.hpp"
#include "harness/options/options.hpp"
#include "harness/run/checkpoint_file.hpp"
#include "harness/steps/cause.hpp"
#include "harness/steps/replayed.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

/// The tests that the options ask for.
TestSource tests_of(const CheckDefinition& check, const HarnessOptions& options);
CheckRunOptions check_run_options(const HarnessOptions& options);
SyncJudge synchronisation_judge(const HarnessOptions& options);

/// With `rest`, says there which tests need not be run again.
Result run_check(const CheckDefinition& check, const HarnessOptions& options, Symbolizer& symbolizer,
                 ProgramCheckpoint* rest = nullptr);

/// The rules by which a failure of this kind was found.
HarnessOptions as_found(HarnessOptions options, FindingKind kind, bool serial, bool planned = false);

/// A race in the words that its execution gives, which shows the two accesses.
std::string sentence_of(const std::string& subject, const Incident& race, const Replayed& shown,
                        Symbolizer& symbolizer);

/// What the execution of a failure shows of its cause.
Cause cause_of(const CheckDefinition& check, const Failure& failure, const HarnessOptions& rules,
               const Replayed& replayed);

/// How it happened, and what serial runs give instead.
Finding explain(const CheckDefinition& check, Failure failure, const HarnessOptions& options, Symbolizer& symbolizer);

}  // namespace muster
