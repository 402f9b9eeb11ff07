#pragma once
// The scenarios and checks that a test program defines.

#include <memory>
#include <string>
#include <vector>

#include "muster/check_definition.hpp"

namespace muster {

struct Scenario {
  std::string name;
  void (*body)();
  std::string file;
  int line;
};

std::vector<Scenario>& scenarios();

/// The checks, each defined by running its body once.
const std::vector<std::unique_ptr<detail::CheckDefinition>>& checks();

}  // namespace muster
