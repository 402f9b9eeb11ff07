#pragma once

#include <atomic>
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
  bool first_failure = false;         ///< keys are judged up to the first that fails
  std::chrono::milliseconds time{0};  ///< 0: no limit
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();  ///< of all searches,
                                                                                               ///< if `time` is set
  std::size_t memory = std::size_t{4} << 30;                                                   ///< bytes of one search
  std::uint64_t steps = 0;  ///< of one search; 0: no limit
  Meter* meter = nullptr;   ///< told how far it is, and asked whether to stop; may be shared by searches
  const std::atomic<bool>* enough = nullptr;  ///< the answer is not needed any more
};

}  // namespace muster
