#pragma once
// Runs a test once on real threads, uncontrolled, for recording: columns on threads of their own, operations as
// transactions.

#include "rule/test.hpp"

namespace muster {

void run_on_real_threads(const CheckDefinition& check, const Test& test);

}  // namespace muster
