#pragma once
// Tells the failure of a check in words.

#include "finding/finding.hpp"
#include "rule/result.hpp"

namespace muster {

/// Sentence, matrix and serial orders; how it happened is left to the caller.
Finding to_finding(const CheckDefinition& check, const Failure& failure);

/// That a test was not decided, and why.
Finding open_question(const CheckDefinition& check, const Test& test, const std::string& why);

/// One line a sequence or column of the test, with the answers, one below the other.
std::vector<std::string> matrix(const CheckDefinition& check, const Failure& failure);

/// "returns 3", "returns", "never returns", "throws …".
std::string answers(const std::string& answer);

/// "returned 400".
std::string answered(const std::string& answer);
/// "B's TryTake()".
std::string whose(const CheckDefinition& check, const std::vector<TestOperation>& operations, int index);

}  // namespace muster
