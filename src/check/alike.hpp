#pragma once
// Columns of a test that differ in their names only: exchanging the threads that run them gives the same test.

#include <vector>

#include "rule/test.hpp"
#include "schedule/schedule.hpp"

namespace muster {

/// For each column the last one before it that is alike, or itself.
std::vector<std::size_t> alike_columns(const CheckDefinition& check, const Test& test, Symmetry symmetry);

}  // namespace muster
