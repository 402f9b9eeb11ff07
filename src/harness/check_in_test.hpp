#pragma once
// Checks inside the tests of another framework: run where they are defined, told as a value. Knows nothing of the
// public header, whose names also exist in here.

#include <cstdint>
#include <string>

#include "muster/check_definition.hpp"

namespace muster {

struct RunInTest {
  double budget_seconds;  // 0: none
  std::string size;
  std::uint64_t tests, seed;
  unsigned bound, jobs;
  bool require_exhausted;
};

/// Whether nothing was found; `report` is what a program of its own would print.
bool run_in_test(const detail::CheckDefinition& check, const RunInTest& asked, std::string& report);

}  // namespace muster
