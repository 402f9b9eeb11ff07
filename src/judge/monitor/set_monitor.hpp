#pragma once

#include <optional>

#include "judge/core/limits.hpp"
#include "judge/core/linearizability.hpp"

namespace muster {

/// All elements of a set at once; nothing where an answer is missing.
std::optional<KeySummary> monitor_set(const Binding& binding, Limits& limits);

}  // namespace muster
