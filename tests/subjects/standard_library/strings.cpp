// Strings, and what they ask of the C library.
#include <cstring>
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
// Texts of the C library.
BY_TWO(text_compared) {
  char text[] = "text", other[] = "text";
  int order = 0;
  by_two([&] { text[3] = 'T'; }, [&] { order = std::strcmp(text, other); });
  MUSTER_REQUIRE(order <= 0);
}
BY_TWO(text_copied) {
  const char* volatile from = "text";
  char text[8] = "";
  by_two([&] { std::strcpy(text, from); }, [&] { MUSTER_REQUIRE(text[3] == '\0' || text[3] == 't'); });
}
MUSTER_SCENARIO(strings_of_their_own) {
  const std::string shared = "shared";
  const auto use = [&] { MUSTER_REQUIRE(joined(shared, 2) == "shared shared "); };
  Unprotected()(use, use);
}
