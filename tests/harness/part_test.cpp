// Parts of the work: shards together do all of it once, and what an earlier run has done is left out.

#include "harness/options/part.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"

namespace muster {
namespace {

TestSource so_many(std::uint64_t count) {
  TestSource source;
  source.count = count;
  source.test = [](std::uint64_t) { return Test(); };
  return source;
}

TEST(Part, ShardsTogetherHaveEveryTestOnce) {
  std::multiset<std::uint64_t> taken;
  for (unsigned number = 1; number <= 3; ++number) {
    const TestPart part(so_many(11), {number, 3}, {});
    for (std::uint64_t i = 0; i < part.source().count; ++i) taken.insert(part.whole_number(i));
  }
  ASSERT_EQ(taken.size(), 11u);
  std::uint64_t expected = 0;
  for (const std::uint64_t test : taken) EXPECT_EQ(test, expected++);
}

TEST(Part, WhatIsDoneIsLeftOutAndTheRestNumberedAnew) {
  const TestPart part(so_many(10), {}, {{0, 2}, {5, 6}});
  EXPECT_EQ(part.source().count, 7u);
  std::vector<std::uint64_t> left;
  for (std::uint64_t i = 0; i < 7; ++i) {
    left.push_back(part.shard_number(i));
    EXPECT_EQ(part.number_left(left.back()), i);
  }
  EXPECT_EQ(left, (std::vector<std::uint64_t>{2, 3, 4, 6, 7, 8, 9}));
}

TEST(Part, NumbersBecomeAsFewRangesAsPossible) {
  EXPECT_EQ(add_numbers({{0, 2}, {7, 9}}, {4, 2, 3, 6}), (std::vector<NumberRange>{{0, 5}, {6, 9}}));
  EXPECT_EQ(add_numbers({}, {}), std::vector<NumberRange>());
}

TEST(Part, AShardIsReadAsAPartOfSoMany) {
  EXPECT_EQ(parse_shard("2/4").number, 2u);
  EXPECT_EQ(parse_shard("2/4").count, 4u);
  for (const char* wrong : {"", "2", "0/4", "5/4", "2/4x", "-1/4"}) EXPECT_THROW(parse_shard(wrong), Error) << wrong;
}

}  // namespace
}  // namespace muster
