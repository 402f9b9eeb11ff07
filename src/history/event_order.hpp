#pragma once
// From times to positions.

#include <cstdint>
#include <span>

#include "history/history.hpp"

namespace muster {

/// Sets the positions of `operations` from their times and gives back how many there are.
/// At equal times the tie rule decides; an operation that begins and ends at one time still returns after its own call.
Position order_by_time(std::span<Operation> operations, std::span<const std::int64_t> calls,
                       std::span<const std::int64_t> returns, Ties ties);

}  // namespace muster
