#pragma once
// Random tests in which something happens. A uniform draw makes many tests that only take out of what is empty, or that
// only put in; here as much is taken out as was put in, some tests begin with something in the object, and all end with
// taking out what is left, so that what was lost shows. Arguments differ where there are several to choose from, and
// pairs of operations that no test so far had side by side come first.

#include <utility>

#include "rule/test_source.hpp"

namespace muster {

/// `count` tests with so many columns and rows, none twice; all of them if there are not many more.
TestSource balanced_tests(const CheckDefinition& check, unsigned columns, unsigned rows, std::uint64_t count,
                          std::uint64_t seed);

/// Columns for all roles, and for more threads than any mode of a synchronisation has; 3x3 if that will do, fewer rows
/// where more columns would make too many serial orders.
std::pair<unsigned, unsigned> default_size(const CheckDefinition& check);

}  // namespace muster
