#pragma once
// Runs `muster check` as a user does.

#include "support/command.hpp"

namespace muster::test {

inline Outcome check(const std::string& arguments) { return run(std::string(MUSTER_COMMAND) + " check " + arguments); }

}  // namespace muster::test
