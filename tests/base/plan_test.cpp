#include "base/plan.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace muster {

TEST(Plan, TextReadsBackAsItself) {
  const Plan plan{.about = "read-write-write on balance",
                  .turns = {{"T1", 42, "bank.cpp:31"}, {"T2", 17, ""}, {"T1", 60, "a b.cpp:36"}}};
  EXPECT_EQ(to_text(plan), "# read-write-write on balance\nT1 42 bank.cpp:31\nT2 17\nT1 60 a b.cpp:36\n");
  EXPECT_EQ(parse_plan(to_text(plan)), plan);
  EXPECT_EQ(parse_plan(""), Plan{});
}

TEST(Plan, BadLinesAreNamed) {
  const auto message = [](std::string_view text) -> std::string {
    try {
      parse_plan(text, "bank.plan");
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(message("T1 4\nT2\n"), "bank.plan:2: expected `thread events location`, for example `T1 42 bank.cpp:31`");
  EXPECT_EQ(message("T1 x\n"), "bank.plan:1: expected a number of events after the thread `T1`");
}

}  // namespace muster
