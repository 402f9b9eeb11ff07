#pragma once
// Tells the failure of a check in words.

#include "finding/finding.hpp"
#include "harness/steps/cause.hpp"
#include "rule/result.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

/// Sentence, matrix and serial orders; the rest is left to the caller.
Finding describe(const CheckDefinition& check, const Failure& failure, Symbolizer& symbolizer);

/// How a failing test went.
struct ToldExecution {
  std::vector<Step> steps;  // with the operations they belong to
  std::string blocks;       // of what the blocks are that the steps name
  std::string cause;        // in a sentence; empty if none is known
};

ToldExecution tell_execution(const CheckDefinition& check, const Failure& failure,
                             const std::vector<TracedEvent>& events, const Cause& cause, Symbolizer& symbolizer);
void tell(Finding& finding, ToldExecution execution);

}  // namespace muster
