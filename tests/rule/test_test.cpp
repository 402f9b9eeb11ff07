#include "rule/test.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/error.hpp"
#include "rule/test_source.hpp"

namespace muster {
namespace {

/// A check with invocations but nothing to call.
CheckDefinition queue_definition() {
  CheckDefinition check;
  check.name = "queue";
  check.operations.push_back({.name = "Add", .excuses = {}});
  check.operations.push_back({.name = "TryTake", .excuses = {}});
  check.invocations.push_back({0, "200", nullptr});
  check.invocations.push_back({0, "400", nullptr});
  check.invocations.push_back({1, "", nullptr});
  return check;
}

TEST(Test, ReadsWhatItWrites) {
  const CheckDefinition check = queue_definition();
  const muster::Test test{{0}, {{1, 2}, {2}}, {2, 2}};
  EXPECT_EQ(to_text(check, test), "first: Add(200) | Add(400), TryTake() | TryTake() | last: TryTake(), TryTake()");
  EXPECT_EQ(parse_test(check, to_text(check, test)), test);
}

TEST(Test, ParenthesesMayBeLeftOut) {
  EXPECT_EQ(parse_test(queue_definition(), "Add( 200 ),TryTake|TryTake"), (muster::Test{{}, {{0, 2}, {2}}, {}}));
}

TEST(Test, AnUnknownCallIsAnError) {
  EXPECT_THROW(parse_test(queue_definition(), "Add(300) | TryTake"), Error);
  EXPECT_THROW(parse_test(queue_definition(), " | "), Error);
}

TEST(Test, ThreeTimesThreeHas1680SerialOrders) {
  EXPECT_EQ(serial_orders(muster::Test{{}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {}}), 1680u);
  EXPECT_EQ(serial_orders(muster::Test{{0}, {{0, 0}, {0, 0}}, {0}}), 6u);
  EXPECT_EQ(dimension(muster::Test{{}, {{0, 0, 0}, {0}}, {}}), "2x3");
}

TEST(RandomTests, AreDistinctAndRepeatable) {
  const CheckDefinition check = queue_definition();
  const TestSource one = random_tests(check, 3, 3, 100, 1), again = random_tests(check, 3, 3, 100, 1),
                   other = random_tests(check, 3, 3, 100, 2);
  std::set<std::string> seen;
  bool differs = false;
  for (std::uint64_t i = 0; i < 100; ++i) {
    seen.insert(to_text(check, one.test(i)));
    EXPECT_EQ(one.test(i), again.test(i));
    differs |= !(one.test(i) == other.test(i));
  }
  EXPECT_EQ(seen.size(), 100u);
  EXPECT_TRUE(differs);
}

TEST(RandomTests, AreAllThereAreWhenMoreAreAskedFor) {
  EXPECT_EQ(random_tests(queue_definition(), 2, 1, 100, 1).count, 9u);
}

TEST(GrowingTests, HaveTheSizesOfAutoCheck) {
  CheckDefinition check = queue_definition();
  const TestSource source = growing_tests(check);
  EXPECT_EQ(dimension(source.test(0)), "1x1");
  EXPECT_EQ(dimension(source.test(1)), "2x2");
  EXPECT_EQ(dimension(source.test(16)), "2x2");
  EXPECT_EQ(dimension(source.test(17)), "3x3");
  EXPECT_EQ(dimension(source.test(16 + 19683)), "3x3");
  EXPECT_EQ(dimension(source.test(17 + 19683)), "4x4");
}

}  // namespace
}  // namespace muster
