#pragma once
// Confirms predictions: follows each plan that `muster predict --confirm` left in a folder, and writes beside it how it
// went.

#include <functional>
#include <optional>
#include <string>

#include "check/columns.hpp"
#include "harness/options/options.hpp"
#include "harness/saved/saved.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

/// The folder that MUSTER_CONFIRM names: n.plan, and `run`, which describes what was recorded.
std::optional<std::string> requested_confirmation();

/// Follows the plans of a folder with `program`; a confirmed one is saved, to be replayed as `subject`. The outcome of
/// n.plan is written to n.outcome: a word (confirmed, diverged, deadlocked), a line with the reason, one with what was
/// saved, and what else there is to say.
void confirm_plans(const std::string& folder, const std::string& subject, const Program& program,
                   const HarnessOptions& options, Symbolizer& symbolizer);

/// The same for one test of a check; the history of a confirmed execution is also judged, and saved as the check's
/// failure if nothing explains it.
void confirm_plans(const std::string& folder, const CheckDefinition& check, const Test& test,
                   const HarnessOptions& options, Symbolizer& symbolizer);

/// Whether it is a prediction that was confirmed.
bool is_prediction(const SavedFailure& saved);

/// Runs a confirmed prediction again, or what else an execution showed that followed a plan, and shows how it happened.
Result replay_prediction(const Program& program, const HarnessOptions& options, const SavedFailure& saved,
                         Symbolizer& symbolizer);

}  // namespace muster
