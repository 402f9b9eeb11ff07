#pragma once
// What an execution showed, held against its plan.

#include <string>

#include "base/plan.hpp"
#include "harness/follow/plan_places.hpp"
#include "harness/follow/sighting.hpp"

namespace muster {

/// What the execution did otherwise than its plan; empty if nothing that matters: what the plan is about has happened.
std::string difference(const Plan& plan, const Sighting& sighting, PlanPlaces& places, std::uint64_t memory);

/// The plan as it was seen: with the execution's threads and memory, and with reads where a compare-exchange failed
/// that did not when it was recorded.
Plan as_seen(Plan plan, const Sighting& sighting, Symbolizer& symbolizer, std::uint64_t memory);

}  // namespace muster
