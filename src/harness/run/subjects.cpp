#include "harness/run/subjects.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <vector>

#include "base/error.hpp"
#include "command/suggest.hpp"

namespace muster {

const Scenario& find_scenario(const std::string& name) {
  for (const Scenario& scenario : scenarios()) {
    if (scenario.name == name) return scenario;
  }
  std::vector<std::string> known;
  for (const Scenario& scenario : scenarios()) known.push_back(scenario.name);
  for (const auto& check : checks()) known.push_back(check->name);
  const std::string near = nearest(name, known);
  fail("there is no scenario or check '{}' here{} There are: {}", name,
       near.empty() ? "." : fmt::format(": did you mean '{}'?", near),
       known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")));
}

const CheckDefinition* find_check(const std::string& name) {
  for (const auto& check : checks()) {
    if (check->name == name) return check.get();
  }
  return nullptr;
}

}  // namespace muster
