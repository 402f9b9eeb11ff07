#pragma once
// Reports as SARIF 2.1.0, the form that code-scanning services and editors show beside the source.

#include <string>

#include "finding/finding.hpp"

namespace muster {

/// A result for each finding at its decisive place: proofs are errors, predictions and open questions warnings. Paths
/// below `folder` are given relative to it.
std::string to_sarif(const Report& report, const std::string& folder);

}  // namespace muster
