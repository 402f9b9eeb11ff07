#pragma once
// Functions whose names match a regular expression are transactions, for recordings and their re-executions.

#include <string>

namespace muster {

/// From now on; an empty expression means none. Throws Error if it is no regular expression.
void choose_transaction_functions(const std::string& expression);

/// Whether any function entered since then matched.
bool any_transaction_function();

}  // namespace muster
