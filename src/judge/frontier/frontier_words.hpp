#pragma once
// What the frontier search says where it ends without an explanation.

#include <cstdint>
#include <span>
#include <string>

#include "judge/core/verdict.hpp"
#include "spec/spec.hpp"

namespace muster {

/// `misfit` is an index into the operations.
Counterexample no_order_explains(const Binding& binding, std::span<const OperationId> ids, std::uint32_t misfit);

/// "; 8 operations overlap there: …", after these events: that is what a search is exponential in. They are numbered as
/// in a timeline.
std::string what_overlaps(const History& history, std::span<const OperationId> ids,
                          std::span<const std::uint32_t> events);

}  // namespace muster
