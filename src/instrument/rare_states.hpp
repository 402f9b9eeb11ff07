#pragma once
// What the interposers keep of an execution for few programs only: Surroundings leaves it alone where it is not used.

#include <cstdint>

#include "runtime/engine.hpp"

namespace muster {

enum class RareUse : std::uint32_t { at_exit = 1, signals = 2, random_numbers = 4, library_numbers = 8, traces = 16 };

inline void begin_use(RareUse use) { engine->surroundings().begin_use(static_cast<std::uint32_t>(use)); }
inline bool is_in_use(RareUse use) { return engine->surroundings().is_in_use(static_cast<std::uint32_t>(use)); }

}  // namespace muster
