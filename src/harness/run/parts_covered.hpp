#pragma once
// What a portfolio has covered of the tests of a check, part by part.

#include <string>

#include "rule/result.hpp"

namespace muster {

/// "100 tests exhausted at bound 2, 61 of them without a bound"; empty where the rest of the summary says it.
std::string parts_covered(const CheckRun& run, unsigned bound);

}  // namespace muster
