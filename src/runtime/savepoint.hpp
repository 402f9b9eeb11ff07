#pragma once
// Where executions go back to.

#include <cstddef>
#include <cstdint>

#include "schedule/strategy.hpp"

namespace muster {

/// Where an execution can go back to.
struct Savepoint {
  // Whose decision it stands before. Where the running thread does nothing but leave, or stay, whoever goes back
  // decides for it.
  enum class Kind : std::uint8_t { any, stay_or_leave, after_end };

  std::uint32_t position;  // in the schedule
  std::uint32_t steps;     // before it
  std::size_t begin, end;  // on the tape
  Kind kind;
  Cost cost;  // of the decision
};

}  // namespace muster
