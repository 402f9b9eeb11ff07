#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/meter.hpp"

namespace muster {

struct JudgeOptions {
  bool monitors = true;               ///< near-linear monitors where they apply; false: the general search alone
  bool split = true;                  ///< judge each key alone
  bool explain = false;               ///< find a witness order
  unsigned threads = 1;               ///< for the keys
  std::chrono::milliseconds time{0};  ///< 0: no limit
  std::size_t memory = std::size_t{4} << 30;  ///< bytes of one search
  std::uint64_t steps = 0;                    ///< of one search; 0: no limit
  Meter* meter = nullptr;  ///< told how far it is, and asked whether to stop; may be shared by searches
};

}  // namespace muster
