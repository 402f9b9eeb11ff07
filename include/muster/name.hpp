#pragma once
// What scenarios and checks may be called.

#include <string_view>

namespace muster::detail {

/// Letters, digits and _, and no digit first: names are words of command lines, and parts of names of functions.
constexpr bool is_name(std::string_view text) {
  const auto letter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  for (const char c : text) {
    if (!letter(c) && !digit(c)) return false;
  }
  return !text.empty() && !digit(text.front());
}

}  // namespace muster::detail
