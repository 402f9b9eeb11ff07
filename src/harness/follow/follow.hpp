#pragma once
// Re-executes a program along a plan, and tells whether it showed what the plan is about.

#include <string>
#include <vector>

#include "base/incident.hpp"
#include "base/plan.hpp"
#include "harness/options/options.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

/// How a re-execution ended, as far as its plan goes.
enum class FollowEnd : std::uint8_t {
  confirmed,   // the accesses came in the order of the plan, on the same memory, and are a violation; or the threads
               // wait for each other
  diverged,    // the program did something else
  deadlocked,  // before it came to what the plan is about
};

struct Followed {
  FollowEnd end = FollowEnd::diverged;
  std::string why;                 // of a divergence
  Plan seen;                       // of a confirmation: with the threads and accesses as they were
  std::vector<Decision> schedule;  // of the execution, to be replayed with `racy_sites` as points
  std::vector<std::uint32_t> racy_sites;
  std::vector<std::uint32_t> sites;  // of what the plan is about
  std::vector<Incident> incidents;   // what else went wrong in it, races included
};

/// In a process of its own, which the program may bring down. Where the numbers of events have shifted in the new
/// order, what the plan is about is looked for by places and objects, in a bounded number of executions.
/// `options.explore.runtime` should be `planned_options` of the usual ones.
Followed follow(const Program& program, const Plan& plan, const HarnessOptions& options, Symbolizer& symbolizer);

/// The rules under which plans are followed, and their schedules replayed.
RuntimeOptions planned_options(RuntimeOptions usual);

}  // namespace muster
