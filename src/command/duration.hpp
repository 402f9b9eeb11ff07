#pragma once
// Durations on command lines.

#include <cstdint>
#include <string_view>

namespace muster {

/// Nanoseconds in "60s", "5m", "2h", "100ms", "5us", "3ns", as `flag` was given them. Throws Error, also where there is
/// no unit: seconds here and nanoseconds there would be a trap.
std::int64_t parse_duration(std::string_view text, std::string_view flag);

/// The same in seconds, above zero.
double parse_seconds(std::string_view text, std::string_view flag);

}  // namespace muster
