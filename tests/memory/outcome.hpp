#pragma once
// What can be told apart when an execution is over.

#include <array>
#include <compare>
#include <set>
#include <string>
#include <vector>

#include "memory/program.hpp"

namespace muster::weak {

using Memory = std::array<Value, location_count>;

struct Outcome {
  struct Thread {
    bool stuck = false;  // goes round in a circle for ever, however new the values are that it reads
    Local at;            // what it knows at its end, or the least place of that circle, with what matters there
    auto operator<=>(const Thread&) const = default;
  };
  static Thread finished(const Local& end) { return {false, {0, end.regs}}; }
  std::vector<Thread> threads;
  Memory memory{};
  auto operator<=>(const Outcome&) const = default;
};
using Outcomes = std::set<Outcome>;

std::string to_string(const Outcome& outcome);

/// Where a thread goes round for ever if memory stays as it is and it sees all of it: the least place of the circle.
/// Nothing if it comes to its end, or changes something. Exchanges do not fail for nothing.
struct Circle {
  bool found = false;
  Local least;
  bool through_start = false;  // the circle comes back to where the thread is now
};
Circle find_circle(const ThreadCode& code, Local from, const Memory& memory);

}  // namespace muster::weak
