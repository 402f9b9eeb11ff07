#include "base/plan.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace muster {

TEST(Plan, TextReadsBackAsItself) {
  const Plan plan{.about = "read-write-write on balance",
                  .memory = {},
                  .forks = {{"T1", "T0", 3, ""}, {"T2", "T1", 7, "bank.cpp:9"}},
                  .accesses = {{"T1", 41, false, "bank.cpp:31"}, {"T2", 16, true, ""}},
                  .waits = {},
                  .turns = {{"T1", 42, "bank.cpp:31"}, {"T2", 17, ""}, {"T1", 60, "a b.cpp:36"}}};
  EXPECT_EQ(to_text(plan),
            "# read-write-write on balance\n@fork T1 T0 3\n@fork T2 T1 7 bank.cpp:9\n@access T1 41 read bank.cpp:31\n"
            "@access T2 16 write\nT1 42 bank.cpp:31\nT2 17\nT1 60 a b.cpp:36\n");
  EXPECT_EQ(parse_plan(to_text(plan)), plan);
  EXPECT_EQ(parse_plan(""), Plan{});
}

TEST(Plan, WhatElseItSaysReadsBackToo) {
  const Plan plan{.about = "deadlock",
                  .memory = "bank+0x4010",
                  .only = true,
                  .whole_threads = true,
                  .forks = {},
                  .accesses = {{"T1", 41, false, "bank.cpp:31", 2}, {"T2", 3, true, "a #b.cpp:3"}},
                  .waits = {{"T1", 12, "bank.cpp:41", 3}, {"T2", 9, "bank.cpp:44"}},
                  .turns = {{"T1", 12, "bank.cpp:40", 3}}};
  EXPECT_EQ(
      to_text(plan),
      "# deadlock\n@memory bank+0x4010\n@only\n@whole-threads\n@access T1 41 read bank.cpp:31 #2\n"
      "@access T2 3 write a #b.cpp:3\n@wait T1 12 bank.cpp:41 #3\n@wait T2 9 bank.cpp:44\nT1 12 bank.cpp:40 #3\n");
  EXPECT_EQ(parse_plan(to_text(plan)), plan);
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
  EXPECT_EQ(message("T1 x\n"), "bank.plan:1: expected `thread events location`, for example `T1 42 bank.cpp:31`");
  EXPECT_EQ(message("@fork T1 T0\n"), "bank.plan:1: expected `@fork child parent event`, for example `@fork T1 T0 3`");
  EXPECT_EQ(message("@wait T1\n"), "bank.plan:1: expected `@wait thread event location`");
  EXPECT_EQ(message("@access T1 3 update\n"), "bank.plan:1: expected `@access thread event read|write location`");
}

}  // namespace muster
