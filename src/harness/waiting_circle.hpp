#pragma once
// Threads that wait for each other's locks when an execution is over, each for one that the next holds.

#include "base/plan.hpp"
#include "harness/plan_places.hpp"
#include "harness/sighting.hpp"
#include "harness/standing.hpp"
#include "schedule/plan_threads.hpp"

namespace muster {

/// Notes those that wait where the plan says; nothing if there are none.
void note_waiting_circle(const Plan& plan, const PlanThreads& threads, const Standing& standing, PlanPlaces& places,
                         Sighting& sighting);

}  // namespace muster
