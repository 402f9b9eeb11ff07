#pragma once
// Near-linear judges of particular objects, chosen where they apply. They give no answer where they cannot decide
// (values that repeat, a pending removal that matters), and the general search takes over. Where a limit is hit they
// throw Limits::Hit.

#include <optional>
#include <span>

#include "judge/core/limits.hpp"
#include "judge/core/linearizability.hpp"
#include "judge/core/verdict.hpp"
#include "spec/spec.hpp"

namespace muster {

/// Judges the operations of one key, by the textbook object.
std::optional<Verdict> monitor(const Binding& binding, std::span<const OperationId> ids, Limits& limits);

/// Judges all keys at once, where that is faster than one after the other.
std::optional<KeySummary> monitor_keys(const Binding& binding, Limits& limits);

}  // namespace muster
