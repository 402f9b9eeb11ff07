// Which fields of a std::tm formats read is compared with what strftime makes of them.

#include "instrument/time_fields.hpp"

#include <gtest/gtest.h>

#include <string>

namespace muster {
namespace {

std::string formatted(char format, const std::tm& time) {
  const char words[] = {'%', format, 0};
  char text[256];
  return {text, std::strftime(text, sizeof text, words, &time)};
}

TEST(TimeFields, AFormatReadsEachFieldThatChangesItsText) {
  const std::tm time{.tm_sec = 1,
                     .tm_min = 2,
                     .tm_hour = 11,
                     .tm_mday = 4,
                     .tm_mon = 5,
                     .tm_year = 106,
                     .tm_wday = 0,
                     .tm_yday = 154,
                     .tm_isdst = 0,
                     .tm_gmtoff = 0,
                     .tm_zone = nullptr};
  for (const char format : std::string("abBCdeDFhHIjmMprRSTuwxXyY")) {
    TimeFields seen = 0;
    for (unsigned field = 0; field < time_field_count - 1; ++field) {
      std::tm other = time;
      // Noon is in another half of the day, and 1986 in another century.
      const_cast<int&>(*time_field(&other, field)) += field == 5 ? -20 : 1;
      if (formatted(format, other) != formatted(format, time)) seen |= TimeFields{1} << field;
    }
    EXPECT_EQ(seen & ~fields_read(format), 0u) << format;
    EXPECT_NE(seen, 0u) << format;
  }
}

TEST(TimeFields, ChangedOnesAreThoseThatDiffer) {
  std::tm before{}, after{};
  after.tm_min = 3;
  after.tm_year = 1;
  EXPECT_EQ(changed_fields(before, after), 2u | 32u);
}

}  // namespace
}  // namespace muster
