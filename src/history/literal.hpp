#pragma once
// Values as people write them in the text forms: 7, -1, "text", nil, true, bare words, [1 2].

#include <string_view>
#include <vector>

#include "history/value.hpp"

namespace muster {

std::string_view trim(std::string_view text);

/// One value; never fails, since what is nothing else is a bare word. `nil`, `null`, `empty` and `nothing` are nil.
Value parse_literal(std::string_view text);

/// Whether every bracket and quote of it is closed.
bool is_closed(std::string_view text);

/// Values separated by commas; brackets and quotes group.
std::vector<Value> parse_literals(std::string_view text);

}  // namespace muster
