#pragma once
// The figures of a check's run as one line of CSV: the columns of Line-Up's Table 2.

#include <string>

#include "check/run.hpp"

namespace muster {

void append_summary(const std::string& path, const CheckDefinition& check, const CheckRun& run);

}  // namespace muster
