#pragma once
// Virtual time: all clocks of user code show it, and deadlines are told in it.

#include <time.h>

#include <cstdint>

#include "base/event.hpp"

namespace muster {

/// The virtual nanosecond at which a deadline on one of the program's clocks comes.
std::uint64_t virtual_deadline(const timespec& until, clockid_t clock);

/// The virtual nanosecond that lies `duration` from now.
std::uint64_t virtual_deadline_in(const timespec& duration);

/// Lets others come first, and then that time pass.
void sleep_until(std::uint64_t deadline, SiteId site);

}  // namespace muster
