#pragma once
// How replays ask for the plain accesses that are no points.

#include "runtime/racy_sites.hpp"

namespace muster {

/// No code has this site: where it is among the racy ones, whoever watches the execution is told of every plain access.
constexpr std::uint32_t every_access = 1;

inline void tell_every_access(RacySites& sites) { sites.insert(every_access); }

}  // namespace muster
