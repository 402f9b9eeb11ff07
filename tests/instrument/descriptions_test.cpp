// Descriptions of functions that are not watched: what is read from them, and what is said of those that are wrong.

#include "instrument/descriptions.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace muster {
namespace {

CallDeed only_deed(std::string_view words) {
  const auto functions = parse_descriptions("f: " + std::string(words), "f.txt");
  EXPECT_EQ(functions.size(), 1u);
  EXPECT_EQ(functions.at(0).deeds.size(), 1u);
  return functions.at(0).deeds.at(0);
}

std::string complaint_about(std::string_view text) {
  try {
    parse_descriptions(text, "f.txt");
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Descriptions, FunctionsBelongToTheLibraryNamedBeforeThem) {
  const auto functions = parse_descriptions(
      "free: harmless  # of any library\n"
      "\n"
      "library liburcu\n"
      "urcu::read_lock: enters readers, is not called\n",
      "f.txt");
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_EQ(functions[0].library, "");
  EXPECT_TRUE(functions[0].harmless);
  EXPECT_EQ(functions[1].library, "liburcu");
  EXPECT_EQ(functions[1].name, "urcu::read_lock");
  EXPECT_EQ(functions[1].returns, 0);
  EXPECT_EQ(functions[1].deeds.at(0).kind, CallDeed::Kind::enters);
}

TEST(Descriptions, MemoryHasAFixedSizeOneThatIsCountedOrThatOfAText) {
  const CallDeed fixed = only_deed("reads 8 bytes of argument 1");
  EXPECT_EQ(fixed.kind, CallDeed::Kind::reads);
  EXPECT_EQ(fixed.size, CallDeed::Size::fixed);
  EXPECT_EQ(fixed.bytes, 8u);
  EXPECT_EQ(fixed.object.argument, 0);
  const CallDeed counted = only_deed("writes argument 2 times 4 bytes of argument 3");
  EXPECT_EQ(counted.kind, CallDeed::Kind::writes);
  EXPECT_EQ(counted.size, CallDeed::Size::counted);
  EXPECT_EQ(counted.counter, 1);
  EXPECT_EQ(counted.bytes, 4u);
  EXPECT_EQ(counted.object.argument, 2);
  EXPECT_EQ(only_deed("reads the text of argument 1").size, CallDeed::Size::text);
}

TEST(Descriptions, SizesMayDependOnTwoArgumentsOrOnTheResult) {
  const CallDeed product = only_deed("writes argument 2 times argument 3 bytes of argument 1");
  EXPECT_EQ(product.size, CallDeed::Size::counted);
  EXPECT_EQ(product.counter, 1);
  EXPECT_EQ(product.times, 2);
  EXPECT_FALSE(product.comes_after());
  const CallDeed result = only_deed("reads the result times argument 2 bytes of argument 1");
  EXPECT_EQ(result.size, CallDeed::Size::result);
  EXPECT_EQ(result.times, 1);
  EXPECT_TRUE(result.comes_after());
}

TEST(Descriptions, WhatIsWrittenAsTextOrOnAConditionComesAfterTheCall) {
  EXPECT_TRUE(only_deed("writes the text of argument 1").comes_after());
  EXPECT_FALSE(only_deed("reads the text of argument 1").comes_after());
  EXPECT_TRUE(only_deed("writes 8 bytes of argument 1 if it returns 0").comes_after());
}

TEST(Descriptions, AFunctionMayOrderThreadsBesides) {
  EXPECT_TRUE(parse_descriptions("f: reads 8 bytes of argument 1, may order threads", "f.txt").at(0).may_order);
  EXPECT_NE(complaint_about("f: may order threads, is not called"), "none");
  EXPECT_NE(complaint_about("f: harmless, may order threads"), "none");
}

TEST(Descriptions, ANameIsTheSameObjectInAllOfThem) {
  const std::uint32_t gate = only_deed("enters gate").object.number;
  EXPECT_NE(only_deed("enters other-gate").object.number, gate);
  EXPECT_EQ(only_deed("blocks until gate is left").object.number, gate);
}

TEST(Descriptions, WhatIsAcquiredMayDependOnTheResult) {
  EXPECT_EQ(only_deed("acquires argument 1 if it returns 0").when, CallDeed::When::zero);
  EXPECT_EQ(only_deed("acquires argument 1 if it returns non-zero").when, CallDeed::When::not_zero);
  EXPECT_EQ(only_deed("acquires the result").object.kind, DeedObject::Kind::result);
}

TEST(Descriptions, SayWhereOneCannotBeUnderstood) {
  EXPECT_EQ(complaint_about("f: harmless\ng"), "f.txt:2: 'g' is not 'NAME: what it does'");
  EXPECT_EQ(complaint_about("f: reads 8 bytes of argument 7"),
            "f.txt:1: arguments are counted from 1 to 6, and 7 is none of them");
  EXPECT_EQ(complaint_about("f: releases the result"),
            "f.txt:1: only what is acquired can be what the function returns: it is not known before");
  EXPECT_EQ(complaint_about("f: harmless, locks argument 1"),
            "f.txt:1: what is harmless, or not supported, does nothing else that is to be told");
  EXPECT_EQ(complaint_about("f: locks argument 1,"), "f.txt:1: what f does is missing");
}

}  // namespace
}  // namespace muster
