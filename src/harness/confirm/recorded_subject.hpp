#pragma once
// A scenario or a test of a check that is recorded, and re-executed to confirm what was predicted from that.

#include <string>

#include "harness/options/options.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

/// Once, on real threads or serially: the one scenario that is named, or one test of the one check.
void record_subject(const std::string& file, const HarnessOptions& options);

/// Follows the plans in a folder with what its `run` says was recorded.
void confirm_subject(const std::string& folder, const HarnessOptions& options, Symbolizer& symbolizer);

}  // namespace muster
