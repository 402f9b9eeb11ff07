#pragma once
// What was counted, as lines of "name: word number" in a checkpoint.

#include <fmt/format.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <type_traits>

namespace muster {

/// `each` calls what it is given with the word and the member of each number.
template <class Each>
std::string counts_text(const char* name, const Each& each) {
  std::string out;
  each([&](const char* word, const auto& number) {
    out += fmt::format("{}: {} {}\n", name, word, static_cast<std::uint64_t>(number));
  });
  return out;
}

/// Takes "word number"; false if there is no such word.
template <class Each>
bool parse_count(const std::string& value, const Each& each) {
  std::istringstream words(value);
  std::string word;
  std::uint64_t number = 0;
  if (!(words >> word >> number)) return false;
  bool known = false;
  each([&](const char* name, auto& member) {
    if (word != name) return;
    member = static_cast<std::remove_reference_t<decltype(member)>>(number);
    known = true;
  });
  return known;
}

}  // namespace muster
