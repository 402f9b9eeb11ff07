#pragma once
// The scenarios and checks that a test program defines.

#include <memory>
#include <string>
#include <vector>

#include "finding/words.hpp"
#include "muster/check_definition.hpp"

namespace muster {

struct Scenario {
  std::string name;
  void (*body)();
  std::string file;
  int line;
};

std::vector<Scenario>& scenarios();

/// What is wrong with a definition is said before anything runs: throws Error.
void require_complete(const detail::CheckDefinition& check);

/// Whether there are any, without running their bodies.
bool defines_checks();

/// The checks, each defined by running its body once.
const std::vector<std::unique_ptr<detail::CheckDefinition>>& checks();

/// What can be run: one of the two.
struct Subject {
  const Scenario* scenario = nullptr;
  const detail::CheckDefinition* check = nullptr;

  const std::string& name() const { return check ? check->name : scenario->name; }
  SubjectKind source() const { return check ? SubjectKind::check : SubjectKind::scenario; }
};

}  // namespace muster
