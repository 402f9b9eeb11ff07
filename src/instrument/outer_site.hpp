#pragma once
// Where an event is told to be. What headers and libraries of the system do for the program, such as taking a lock in
// <mutex>, is told at the program's own line, whether or not the compiler inlined it there.

#include "base/event.hpp"

namespace muster::tap {

/// Whether the code that a call returns to stands in a header or a library of the system. Nothing: sites are told as
/// they are.
extern bool (*is_system_place)(SiteId);

/// The running thread makes an event at `site`: the nearest of its callers outside of such code, or `site` where there
/// is none.
SiteId outer_site(SiteId site);

}  // namespace muster::tap
