#pragma once
// Threads that wait for each other's locks when an execution is over, each for one that the next holds.

#include "base/plan.hpp"
#include "harness/follow/plan_places.hpp"
#include "harness/follow/sighting.hpp"
#include "harness/follow/standing.hpp"
#include "schedule/plan_threads.hpp"

namespace muster {

/// Notes those that wait where the plan says; nothing if there are none.
void note_waiting_circle(const Plan& plan, const PlanThreads& threads, const Standing& standing, PlanPlaces& places,
                         Sighting& sighting);

}  // namespace muster
