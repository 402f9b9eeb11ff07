#pragma once
// One call with its response.

#include <cstdint>
#include <limits>

#include "history/value.hpp"

namespace muster {

/// Index of an operation in its history.
using OperationId = std::uint32_t;
using MethodId = std::uint16_t;
using ProcessId = std::uint32_t;

/// Where a call or a return stands among all calls and returns of its history: smaller is earlier, no two are equal.
using Position = std::uint32_t;
constexpr Position never = std::numeric_limits<Position>::max();

/// Arguments live in the history that owns the operation, so that recording one allocates nothing.
struct Operation {
  Value result;  ///< `none` while pending, and where nothing was recorded
  Value key;     ///< which of several objects; `none` if the history has one only
  Position call = 0;
  Position ret = never;  ///< `never`: pending
  ProcessId process = 0;
  std::uint32_t line = 0;  ///< in the file it was read from; 0 if none
  std::uint32_t first_argument = 0;
  MethodId method = 0;
  std::uint8_t argument_count = 0;

  bool is_pending() const { return ret == never; }
};

}  // namespace muster
