#pragma once
// Which fields of a std::tm a format of strftime or strptime concerns.

#include <cstdint>
#include <ctime>

namespace muster {

/// A bit for each of its first nine members, in their order.
using TimeFields = std::uint32_t;
constexpr unsigned time_field_count = 9;

inline const int* time_field(const std::tm* time, unsigned index) { return &time->tm_sec + index; }

inline TimeFields changed_fields(const std::tm& before, const std::tm& after) {
  TimeFields changed = 0;
  for (unsigned i = 0; i < time_field_count; ++i) {
    if (*time_field(&before, i) != *time_field(&after, i)) changed |= TimeFields{1} << i;
  }
  return changed;
}

/// What strftime reads for it.
constexpr TimeFields fields_read(char format) {
  enum : TimeFields {
    second = 1,
    minute = 2,
    hour = 4,
    day = 8,
    month = 16,
    year = 32,
    weekday = 64,
    day_of_year = 128
  };
  switch (format) {
    case 'a':
    case 'A':
    case 'u':
    case 'w':
      return weekday;
    case 'b':
    case 'B':
    case 'h':
    case 'm':
      return month;
    case 'c':
      return second | minute | hour | day | month | year;
    case 'C':
    case 'y':
    case 'Y':
      return year;
    case 'd':
    case 'e':
      return day;
    case 'D':
    case 'F':
    case 'x':
      return day | month | year;
    case 'H':
    case 'I':
    case 'p':
      return hour;
    case 'j':
      return day_of_year;
    case 'M':
      return minute;
    case 'r':
    case 'T':
    case 'X':
      return second | minute | hour;
    case 'R':
      return minute | hour;
    case 'S':
      return second;
    default:
      return 0;
  }
}

/// What std::time_get certainly writes for it: how the others are written depends on the locale, or on what follows.
constexpr TimeFields fields_written(char format) {
  constexpr const char* others = "uwcCpxXrF";
  for (const char* other = others; *other; ++other) {
    if (*other == format) return 0;
  }
  return fields_read(format);
}

}  // namespace muster
