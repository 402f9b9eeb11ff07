// What functions of the C library do to memory that they are given.
#include <strings.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <muster/scenario.hpp>

#include "by_two.hpp"

namespace {

int order(const void* a, const void* b) { return *static_cast<const int*>(a) - *static_cast<const int*>(b); }

}  // namespace

BY_TWO(printed_into) {
  char text[16];
  by_two([&] { std::snprintf(text, sizeof text, "%d", 1); }, [&] { std::sprintf(text, "%x", 255u); });
}
BY_TWO(printed_from) {
  char text[] = "abc", copy[16];
  by_two([&] { text[2] = 'd'; }, [&] { std::snprintf(copy, sizeof copy, "%5.1f %s%%", 1.5, text); });
}
// A precision ends the text before the other thread's character.
MUSTER_SCENARIO(printed_from_its_beginning) {
  char text[] = "abc", copy[16];
  Unprotected()([&] { text[2] = 'd'; }, [&] { std::snprintf(copy, sizeof copy, "%.*s", 2, text); });
}
BY_TWO(scanned_into) {
  int number = 0;
  char word[8] = "";
  by_two([&] { MUSTER_REQUIRE(std::sscanf("x 12", "%7s %d", word, &number) == 2); }, [&] { number = 3; });
}
// What is not converted is not written.
MUSTER_SCENARIO(scanned_in_part) {
  int first = 0, second = 0;
  Unprotected()([&] { MUSTER_REQUIRE(std::sscanf("12 x", "%d %d", &first, &second) == 1); }, [&] { second = 3; });
}
BY_TWO(array_sorted) {
  int numbers[] = {3, 1, 2};
  const auto sort = [&] { std::qsort(numbers, 3, sizeof *numbers, order); };
  by_two(sort, sort);
}
BY_TWO(time_split) {
  const std::time_t time = 0;
  std::tm parts{};
  by_two([&] { gmtime_r(&time, &parts); }, [&] { parts.tm_sec = 1; });
}
BY_TWO(time_printed) {
  char text[16] = "";
  const std::tm parts{};
  by_two([&] { std::strftime(text, sizeof text, "%H:%M", &parts); }, [&] { text[0] = 'x'; });
}
BY_TWO(text_split) {
  char text[] = "a b";
  char *rest = nullptr, *other = nullptr;
  by_two([&] { strtok_r(text, " ", &rest); }, [&] { strtok_r(text, " ", &other); });
}
// The function keeps the rest for whoever calls it next.
BY_TWO(texts_split_at_once) {
  char text[] = "a b", other[] = "c d";
  by_two([&] { MUSTER_REQUIRE(std::strtok(text, " ")); }, [&] { MUSTER_REQUIRE(std::strtok(other, " ")); });
}
BY_TWO(text_appended) {
  char text[16] = "a";
  by_two([&] { std::strncat(text, "bcd", 2); }, [&] { std::strncat(text, "e", 2); });
}
BY_TWO(text_duplicated) {
  char text[] = "text";
  by_two([&] { text[3] = 'T'; }, [&] { std::free(strdup(text)); });
}
BY_TWO(text_compared_without_case) {
  char text[] = "text";
  int found = 1;
  by_two([&] { text[3] = 'T'; }, [&] { found = strcasecmp(text, "TEXT"); });
  MUSTER_REQUIRE(found == 0);
}
// They differ before the other thread's character.
MUSTER_SCENARIO(text_compared_in_part) {
  char text[] = "text";
  int found = 0;
  Unprotected()([&] { text[3] = 'T'; }, [&] { found = strcasecmp(text, "TAXI"); });
  MUSTER_REQUIRE(found != 0);
}
BY_TWO(text_found) {
  char text[] = "some text";
  const char* found = text;
  by_two([&] { text[8] = 'T'; }, [&] { found = std::strstr(text, "more"); });
  MUSTER_REQUIRE(!found);
}
BY_TWO(file_read) {
  char bytes[4] = "";
  std::FILE* const zeros = std::fopen("/dev/zero", "r");
  by_two([&] { MUSTER_REQUIRE(std::fread(bytes, 1, 4, zeros) == 4); }, [&] { bytes[3] = 1; });
  std::fclose(zeros);
}
BY_TWO(random_state) {
  unsigned state = 1;
  by_two([&] { rand_r(&state); }, [&] { rand_r(&state); });
}
