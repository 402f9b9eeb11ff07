#include "harness/registry.hpp"

#include "muster/scenario.hpp"

namespace muster {

std::vector<Scenario>& scenarios() {
  static std::vector<Scenario> list;
  return list;
}

namespace detail {

__attribute__((visibility("default"))) ScenarioRegistration::ScenarioRegistration(const char* name, void (*body)(), const char* file,
                                                                                  int line) noexcept {
  scenarios().push_back({name, body, file, line});
}

}  // namespace detail
}  // namespace muster
