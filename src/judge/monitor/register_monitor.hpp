#pragma once

#include <optional>
#include <span>

#include "judge/core/limits.hpp"
#include "judge/core/verdict.hpp"
#include "spec/spec.hpp"

namespace muster {

/// Registers whose values are written once each: zones (Gibbons and Korach, "Testing shared memories", 1997). Nothing
/// where a value is written twice, or the initial value again.
std::optional<Verdict> monitor_register(const Binding& binding, std::span<const OperationId> ids, Limits& limits);

}  // namespace muster
