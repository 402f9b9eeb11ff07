#pragma once
// Reports as JUnit XML, the form that CI servers show.

#include <string>

#include "finding/finding.hpp"

namespace muster {

/// A test case for each result; an undecided one is an error, since it is no pass. Findings stand inside as they are
/// drawn for a pipe.
std::string to_junit(const Report& report);

}  // namespace muster
