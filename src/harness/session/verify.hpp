#pragma once
// Does a program do the same thing every time? Draws schedules at random, runs each again from its printed form, and
// compares every event.

#include "harness/options/options.hpp"
#include "rule/registry.hpp"

namespace muster {

struct Verification {
  std::uint64_t schedules = 0;
  std::uint64_t different = 0;
  std::string first_difference;  // a schedule
  std::string ended_by;          // what the next schedule did, if fewer were run than asked for
};

Verification verify_replay(const Scenario& scenario, const HarnessOptions& options, std::uint64_t count);

}  // namespace muster
