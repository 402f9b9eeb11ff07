#pragma once
// Memory orders, as the program declares them.

#include <cstdint>

namespace muster {

enum class Order : std::uint8_t { relaxed, consume, acquire, release, acq_rel, seq_cst };
constexpr bool acquires(Order order) { return order != Order::relaxed && order != Order::release; }
constexpr bool releases(Order order) { return order >= Order::release; }

}  // namespace muster
