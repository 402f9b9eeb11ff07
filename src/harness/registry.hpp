#pragma once
// The scenarios that a test program defines.

#include <string>
#include <vector>

namespace muster {

struct Scenario {
  std::string name;
  void (*body)();
  std::string file;
  int line;
};

std::vector<Scenario>& scenarios();

}  // namespace muster
