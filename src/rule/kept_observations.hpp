#pragma once
// An observation set as bytes, for another process that goes on with the same test.

#include <cstddef>
#include <span>
#include <vector>

#include "rule/observation_set.hpp"

namespace muster {

/// Nothing if it is too large to be worth it, or depends on excuses.
std::vector<std::byte> keep(const ObservationSet& observed, const Responses& responses);

/// Adds what was kept to an empty set of the same test.
void restore(std::span<const std::byte> kept, ObservationSet& observed, Responses& responses);

}  // namespace muster
