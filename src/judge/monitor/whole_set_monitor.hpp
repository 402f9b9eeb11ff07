#pragma once

#include <optional>
#include <span>

#include "judge/core/limits.hpp"
#include "judge/core/verdict.hpp"
#include "spec/spec.hpp"

namespace muster {

/// Judges a set that only grows and is read as a whole, in time that is linear in what the reads list, and n log n.
std::optional<Verdict> monitor_whole_set(const Binding& binding, std::span<const OperationId> ids, Limits& limits);

}  // namespace muster
