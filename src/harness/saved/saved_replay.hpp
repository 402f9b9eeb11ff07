#pragma once
// What a saved failure shows when its schedule is run again.

#include "finding/finding.hpp"
#include "harness/saved/saved.hpp"
#include "harness/steps/replayed.hpp"

namespace muster {

/// The failure with the steps of this execution, or undecided if it went another way.
Result tell_replay(const SavedFailure& saved, const Replayed& replayed, std::vector<Step> steps);

}  // namespace muster
