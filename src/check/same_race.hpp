#pragma once

#include <algorithm>

#include "base/incident.hpp"

namespace muster {

/// Whether both are races between the same two accesses of the code, in whatever order. Of the earlier access only half
/// of the address is kept.
inline bool same_race(const Incident& a, const Incident& b) {
  const auto places = [](const Incident& race) {
    return std::minmax({static_cast<std::uint32_t>(race.place.site), static_cast<std::uint32_t>(race.earlier.site)});
  };
  return a.kind == b.kind && places(a) == places(b);
}

}  // namespace muster
