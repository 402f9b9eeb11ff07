#pragma once
// Which calls may stand in which column of a test that is drawn.

#include "rule/test.hpp"

namespace muster {

/// What can stand in a column with this role (-1: none): single calls and blocks, as often as their weight says.
std::vector<Sequence> choices(const CheckDefinition& check, int role);

/// The role of each column: first those that a role asks for, then none.
std::vector<int> column_roles(const CheckDefinition& check, unsigned columns);

/// Throws Error for a column in which nothing can stand.
void require_calls(const CheckDefinition& check, bool none);

/// The role that a call asks of its column; -1: none.
int role_of(const CheckDefinition& check, Invocation invocation);

}  // namespace muster
