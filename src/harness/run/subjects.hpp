#pragma once
// The scenarios and checks of this program, by name.

#include <string>

#include "rule/registry.hpp"
#include "rule/test.hpp"

namespace muster {

/// Throws Error if there is none, with what there is.
const Scenario& find_scenario(const std::string& name);

/// Null if there is none.
const CheckDefinition* find_check(const std::string& name);

}  // namespace muster
