#pragma once
// What to ask for next where nothing was found: the one option that would cover most more, and about how long it takes.

#include <string>

#include "finding/finding.hpp"
#include "harness/options/options.hpp"
#include "rule/registry.hpp"

namespace muster {

/// Empty where nothing more can be asked for, where it cannot be told, or where it is not worth finding out.
std::string likely_next(const Scenario& scenario, const CoverageReport& coverage, const HarnessOptions& options);
std::string likely_next(const CheckDefinition& check, const CoverageReport& coverage, const HarnessOptions& options);

/// Says so in the report.
inline void note_next(CoverageReport& coverage, const std::string& next) {
  if (!next.empty()) coverage.notes.push_back(next + ".");
}

}  // namespace muster
