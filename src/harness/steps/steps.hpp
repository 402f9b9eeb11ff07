#pragma once
// Tells incidents and traced executions in words.

#include <span>
#include <vector>

#include "finding/finding.hpp"
#include "harness/steps/tracer.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

/// "main", then "A", "B", … in the order in which an execution creates threads.
std::string thread_name(ThreadId thread);

/// Kind and sentence of what happened; the rest is left to the caller.
Finding describe(const std::string& subject, const Incident& incident, Symbolizer& symbolizer);

/// Of what steps took no notice: a sentence for each.
std::vector<std::string> describe_older_values(const std::vector<TracedEvent>& events, const std::vector<Step>& steps,
                                               Symbolizer& symbolizer);

/// What each thread that cannot go on at the end waits for: "A waits for second, held by B; main waits for the end of
/// A".
std::string describe_waits(const std::vector<TracedEvent>& events, const std::vector<Step>& steps);

/// Leaves out what comes after the second access of a race, which is where it shows. Steps stay as they are where the
/// events do not show both accesses.
void end_at_race(const Incident& race, const std::vector<TracedEvent>& events, std::vector<Step>& steps);

/// Who does what to what, and who did what to it before; empty where the events do not show both accesses.
std::string describe_race(const Incident& race, const std::vector<TracedEvent>& events, const std::vector<Step>& steps);

struct ToStepsOptions {
  std::string* blocks = nullptr;  // for what the blocks are that the steps name: "n1: Node (stack.hpp:31)"
  bool in_operations = false;     // of a check: where it calls them says no more than their names
};

/// A step for each event.
std::vector<Step> to_steps(const std::vector<TracedEvent>& events, Symbolizer& symbolizer, ToStepsOptions options = {});

}  // namespace muster
