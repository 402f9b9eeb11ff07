#include "rule/registry.hpp"

#include <algorithm>
#include <regex>

#include "base/error.hpp"
#include "muster/check.hpp"
#include "rule/answer_text.hpp"
#include "rule/synchronisation.hpp"

namespace muster {
namespace {

struct Registered {
  const char* name;
  void (*define)(Check&);
  const char* file;
  int line;
};

std::vector<Registered>& registered_checks() {
  static std::vector<Registered> list;
  return list;
}

/// Runs the body of a check. What leaves it is a mistake there, such as an argument that cannot be made.
void define(const Registered& registered, detail::CheckDefinition& definition) {
  try {
    Check check(definition);
    registered.define(check);
  } catch (const Error&) {
    throw;
  } catch (...) {
    fail("{}:{}: check {} cannot be defined: its body {}", registered.file, registered.line, registered.name,
         caught_exception());
  }
}

/// Races are compared with them once one is met.
void require_expressions(const detail::CheckDefinition& check) {
  for (const std::string& text : check.suppressions) {
    try {
      const std::regex expression(text);
    } catch (const std::regex_error& error) {
      fail("{}:{}: check {}: suppress_races: '{}' is no regular expression: {}", check.file, check.line, check.name,
           text, error.what());
    }
  }
}

}  // namespace

void require_complete(const detail::CheckDefinition& check) {
  if (check.objects.empty())
    fail("{}:{}: check {} has no object: write auto x = check.object<T>(…);", check.file, check.line, check.name);
  if (std::any_of(check.models.begin(), check.models.end(),
                  [&](const auto& m) { return (m != nullptr) != (check.models[0] != nullptr); }))
    fail("{}:{}: check {} has a model for some of its objects only: give each one, or none", check.file, check.line,
         check.name);
  const bool has_models = check.models[0] != nullptr;
  const char* model = check.golden ? "golden" : "model";
  for (const auto& operation : check.operations) {
    if (has_models && (operation.gives >= 0 || operation.takes >= 0)) {
      fail("{}:{}: operation {} of check {} gives or takes a handle: a model does not know it; leave .{} out",
           check.file, check.line, operation.name, check.name, model);
    }
    if (has_models && !operation.on_models) {
      fail(
          "{}:{}: operation {} of check {} was declared on the object without its model: declare it on what .{}<…>() "
          "gives",
          check.file, check.line, operation.name, check.name, model);
    }
    if (operation.incomparable) {
      fail(
          "{}:{}: operation {} of check {} returns something that cannot be compared and printed: add "
          ".seen_as([](const auto& value) {{ … }})",
          check.file, check.line, operation.name, check.name);
    }
    if (operation.needs_arguments)
      fail("{}:{}: operation {} of check {} takes arguments: add .with(…)", check.file, check.line, operation.name,
           check.name);
  }
  if (check.invocations.empty())
    fail("{}:{}: check {} has nothing to call: write x.operation(\"name\", …);", check.file, check.line, check.name);
  require_expressions(check);
  if (check.synchronisation) require_complete_synchronisation(check);
}

bool defines_checks() { return !registered_checks().empty(); }

const std::vector<std::unique_ptr<detail::CheckDefinition>>& checks() {
  static const auto list = [] {
    std::vector<std::unique_ptr<detail::CheckDefinition>> made;
    for (const Registered& registered : registered_checks()) {
      auto definition = std::make_unique<detail::CheckDefinition>();
      definition->name = registered.name;
      definition->file = registered.file;
      definition->line = registered.line;
      define(registered, *definition);
      require_complete(*definition);
      made.push_back(std::move(definition));
    }
    return made;
  }();
  return list;
}

std::vector<Scenario>& scenarios() {
  static std::vector<Scenario> list;
  return list;
}

namespace detail {

__attribute__((visibility("default")))
ScenarioRegistration::ScenarioRegistration(const char* name, void (*body)(), const char* file, int line) noexcept {
  scenarios().push_back({name, body, file, line});
}

__attribute__((visibility("default")))
CheckRegistration::CheckRegistration(const char* name, void (*define)(Check&), const char* file, int line) {
  registered_checks().push_back({name, define, file, line});
}

}  // namespace detail
}  // namespace muster
