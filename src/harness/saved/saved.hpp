#pragma once
// Failures on disk.

#include <functional>
#include <string>
#include <vector>

#include "finding/finding.hpp"
#include "finding/saved_failure.hpp"
#include "harness/options/options.hpp"

namespace muster {

/// Writes `folder/SUBJECT-n`, n being the first number that is free or holds the same failure. Gives back the path.
/// Throws Error where that cannot be.
std::string save(const Finding& finding, const HarnessOptions& options);

/// Runs as it was saved.
void adopt(HarnessOptions& options, const SavedFailure& saved);

/// By its name, "queue-1", or by its path. Throws Error for one that is damaged.
SavedFailure load_saved(const std::string& folder, const std::string& id);

/// All of a folder, by their ids; `skipped` is told why others cannot be used.
std::vector<SavedFailure> load_all_saved(const std::string& folder,
                                         const std::function<void(const std::string&)>& skipped);

}  // namespace muster
