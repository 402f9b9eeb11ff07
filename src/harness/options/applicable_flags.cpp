#include "harness/options/applicable_flags.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "rule/quasi_judge.hpp"

namespace muster {
namespace {

void require_checks(const HarnessOptions& options) {
  const std::pair<const char*, bool> for_checks[] = {
      {"--matrix", !options.matrices.empty()},    {"--observations", !options.observations.empty()},
      {"--against", !options.against.empty()},    {"--quasi", !options.quasi.empty()},
      {"--spec", !options.spec.empty()},          {"--judge", options.judge != "automatic"},
      {"--histories", !options.histories.empty()}};
  for (const auto& [flag, given] : for_checks) {
    if (given) fail("{} is for checks, and no check is chosen here", flag);
  }
}

}  // namespace

void require_applicable(const HarnessOptions& options, const std::vector<const Scenario*>& scenarios,
                        const std::vector<const CheckDefinition*>& checks) {
  if (options.verify_replay > 0 && (scenarios.empty() || (!options.names.empty() && !checks.empty())))
    fail("--verify-replay is for scenarios, and {} is a check", checks[0]->name);
  if (checks.empty()) return require_checks(options);
  const auto any = [&](const auto& applies) {
    return std::any_of(checks.begin(), checks.end(), [&](const CheckDefinition* check) { return applies(*check); });
  };
  const auto synchronises = [](const CheckDefinition& check) { return check.synchronisation != nullptr; };
  const auto is_quasi = [&](const CheckDefinition& check) {
    return !synchronises(check) && QuasiRequest(check, options.quasi, options.spec).is_made();
  };
  if (options.judge != "automatic" && !any(synchronises))
    fail("--judge is for checks with a synchronisation spec, and none is chosen here");
  if (!options.quasi.empty() && !any(is_quasi))
    fail("--quasi is for checks without a synchronisation spec, and none is chosen here");
  if (!options.spec.empty() && !any(is_quasi))
    fail(
        "--spec says what quasi-linearizability is judged by, and no check that is chosen here is judged so: add "
        "--quasi, such as --quasi 0");
}

}  // namespace muster
