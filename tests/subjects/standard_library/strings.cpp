// Strings, and what they ask of the C library.
#include <muster/scenario.hpp>
#include <string>

#include "by_two.hpp"
#include "strings_cxx17.hpp"

BY_TWO(string_append) {
  std::string text;
  by_two([&] { append(text, "a"); }, [&] { append(text, "b"); });
}
// The characters alone: nothing of the string itself changes.
BY_TWO(string_compare) {
  std::string text = "a long text that lies on the heap";
  char* const last = &text.back();
  by_two([&] { *last = 'P'; }, [&] { (void)is_same(text, "a long text that lies on the heaP"); });
}
BY_TWO(string_length) {
  char text[] = "text";
  by_two([&] { text[3] = '\0'; }, [&] { MUSTER_REQUIRE(std::string(text).size() >= 3); });
}
BY_TWO(string_number) {
  std::string text = "12";
  char* const last = &text.back();
  by_two([&] { *last = '3'; }, [&] { MUSTER_REQUIRE(std::stoi(text) >= 12); });
}
BY_TWO(string_hash) {
  std::string text = "text";
  char* const last = &text.back();
  by_two([&] { *last = 'T'; }, [&] { (void)std::hash<std::string>()(text); });
}
MUSTER_SCENARIO(strings_of_their_own) {
  const std::string shared = "shared";
  const auto use = [&] { MUSTER_REQUIRE(joined(shared, 2) == "shared shared "); };
  Unprotected()(use, use);
}
