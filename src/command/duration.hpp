#pragma once
// Durations on command lines.

#include <string>

namespace muster {

/// "60s", "5m", "2h", "100ms", or seconds as a number. Throws Error.
double parse_seconds(const std::string& text);

}  // namespace muster
