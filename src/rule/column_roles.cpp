#include "rule/column_roles.hpp"

#include "base/error.hpp"

namespace muster {

std::vector<Sequence> choices(const CheckDefinition& check, int role) {
  std::vector<Sequence> result;
  for (std::size_t i = 0; i < check.invocations.size(); ++i) {
    const auto& operation = check.operations[check.invocations[i].operation];
    if (operation.role >= 0 && operation.role != role) continue;
    result.insert(result.end(), operation.weight, {static_cast<Invocation>(i)});
  }
  for (const std::string& text : check.sequences) result.push_back(parse_sequence(check, text));
  return result;
}

std::vector<int> column_roles(const CheckDefinition& check, unsigned columns) {
  std::vector<int> roles;
  for (std::size_t i = 0; i < check.roles.size(); ++i)
    roles.insert(roles.end(), check.roles[i].columns, static_cast<int>(i));
  if (roles.size() > columns)
    fail("check {}: its roles need {} columns, and the tests have {}", check.name, roles.size(), columns);
  roles.resize(columns, -1);
  return roles;
}

void require_calls(const CheckDefinition& check, bool none) {
  if (none) fail("check {}: a column without a role has nothing to call; give more columns the role", check.name);
}

int role_of(const CheckDefinition& check, Invocation invocation) {
  return check.operations[check.invocations[invocation].operation].role;
}

}  // namespace muster
