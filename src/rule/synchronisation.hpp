#pragma once
// Looks at the synchronisation spec of a check before anything runs. Apart from the judge, because the headers of
// checks and those of histories each have an Operation of their own.

#include <string>

#include "rule/result.hpp"
#include "rule/test_source.hpp"

namespace muster {

/// What is wrong with a check's spec, as an Error: participants that are no operations, operations in no mode,
/// arguments of other types than the functions take.
void require_complete_synchronisation(const CheckDefinition& check);

/// Modes that need more threads than the test has: a hint at a mistake, except where an early release is looked for.
std::string warn_about_arity(const CheckDefinition& check, const Test& test);

/// What may be a mistake in the check, given what its tests gave.
std::vector<std::string> warnings_about(const CheckDefinition& check, const TestSource& source,
                                        const std::vector<TestResult>& results);

}  // namespace muster
