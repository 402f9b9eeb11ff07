#pragma once
// What a line of progress says.

#include <string>

#include "check/run.hpp"
#include "search/program_search.hpp"

namespace muster {

/// "queue: about 40 % of bound 2, no finding yet; 12,345 of about 31,000 executions, 4,000 a second".
std::string describe(const Coverage& coverage, const std::string& name);
std::string describe(const TestProgress& progress, const std::string& name, double seconds);

}  // namespace muster
