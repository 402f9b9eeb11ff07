#pragma once
// Tells the failure of a check in words.

#include "finding/finding.hpp"
#include "harness/steps/tracer.hpp"
#include "rule/result.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

/// Sentence, matrix and serial orders; the rest is left to the caller.
Finding describe(const CheckDefinition& check, const Failure& failure, Symbolizer& symbolizer);

/// The events of a replayed test, with the operations they belong to. `blocks`, if given, then says of what the blocks
/// are that the steps name.
std::vector<Step> to_steps(const CheckDefinition& check, const Failure& failure, const std::vector<TracedEvent>& events,
                           Symbolizer& symbolizer, std::string* blocks = nullptr);

}  // namespace muster
