#include "harness/session/listing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>

#include "base/error.hpp"
#include "harness/run/check_run.hpp"
#include "harness/session/serial_tree.hpp"
#include "rule/registry.hpp"

namespace muster {
namespace {

std::uint64_t shown_tests(const TestSource& source, const HarnessOptions& options) {
  return std::min<std::uint64_t>(source.count, options.tests);
}

}  // namespace

void list_names() {
  for (const Scenario& scenario : scenarios()) fmt::print("{}\n", scenario.name);
  for (const auto& check : checks()) fmt::print("{}\n", check->name);
}

void list_tests(const CheckDefinition& check, const HarnessOptions& options) {
  const TestSource source = tests_of(check, options);
  for (std::uint64_t i = 0; i < shown_tests(source, options); ++i)
    fmt::print("{} {}: {}\n", check.name, i + 1, to_text(check, source.test(i)));
}

void list_histories(const CheckDefinition& check, const HarnessOptions& options) {
  const TestSource source = tests_of(check, options);
  const CheckRunOptions how = check_run_options(options);
  for (std::uint64_t i = 0; i < shown_tests(source, options); ++i)
    fmt::print("{}", draw_serial_tree(check, source.test(i), serial_runs_of(check, source.test(i), how)));
}

void write_observations(const CheckDefinition& check, const HarnessOptions& options) {
  const TestSource source = tests_of(check, options);
  if (source.count != 1) fail("--observations takes one test: give it with --matrix");
  const Test test = source.test(0);
  const CheckRunOptions how = check_run_options(options);
  const bool is_picture = options.observations.ends_with(".svg");
  std::ofstream file(options.observations);
  file << (is_picture ? draw_serial_tree_svg(check, test, serial_runs_of(check, test, how))
                      : observe_test(check, test, how));
  if (!file.flush()) fail("{}: cannot be written", options.observations);
}

}  // namespace muster
