#pragma once
// The report of a whole from the reports of its parts.

#include <vector>

#include "finding/finding.hpp"

namespace muster {

/// Results of one subject become one: what was found and covered is added up. Where a shard is missing, the whole is
/// undecided, unless what is there fails. Throws Error if the parts are not of one run.
Report merge(const std::vector<Report>& parts);

}  // namespace muster
