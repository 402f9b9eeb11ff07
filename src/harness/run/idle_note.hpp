#pragma once
// How much of the time workers waited for work, as a report says it.

#include <fmt/format.h>

#include "finding/finding.hpp"

namespace muster {

/// Of searches that took long enough for it to matter.
inline void note_idle_share(CoverageReport& coverage, double idle_seconds, unsigned jobs) {
  constexpr double least_seconds = 1;
  if (jobs < 2 || coverage.cpu_seconds < least_seconds) return;
  coverage.notes.push_back(fmt::format("{} workers waited for work {:.1f} % of the time", jobs,
                                       100 * idle_seconds / (idle_seconds + coverage.cpu_seconds)));
}

}  // namespace muster
