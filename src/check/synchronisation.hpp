#pragma once
// Looks at the synchronisation spec of a check before anything runs. Apart from the judge, because the headers of checks
// and those of histories each have an Operation of their own.

#include <string>

#include "check/test.hpp"

namespace muster {

/// What is wrong with a check's spec, as an Error: participants that are no operations, operations in no mode,
/// arguments of other types than the functions take.
void require_complete_synchronisation(const CheckDefinition& check);

/// Modes that need more threads than the test has: a hint at a mistake, except where an early release is looked for.
std::string warn_about_arity(const CheckDefinition& check, const Test& test);

}  // namespace muster
