#include "rule/balanced_tests.hpp"

#include <gtest/gtest.h>

#include <set>

namespace muster {
namespace {

CheckDefinition with_operations(const std::vector<std::pair<std::string, std::vector<std::string>>>& operations) {
  CheckDefinition check;
  check.name = "check";
  for (const auto& [name, arguments] : operations) {
    check.operations.push_back({.name = name, .excuses = {}});
    for (const std::string& one : arguments)
      check.invocations.push_back({static_cast<unsigned>(check.operations.size() - 1), one, nullptr});
  }
  return check;
}

CheckDefinition queue() { return with_operations({{"push", {"1", "2", "3", "4", "5"}}, {"pop", {""}}}); }

std::size_t calls_of(const CheckDefinition& check, const Sequence& calls, const std::string& operation) {
  std::size_t sum = 0;
  for (const TestCall& call : calls)
    sum += check.operations[check.invocations[call.invocation].operation].name == operation;
  return sum;
}

std::size_t calls_of(const CheckDefinition& check, const muster::Test& test, const std::string& operation) {
  std::size_t sum = 0;
  for (const Sequence& column : test.columns) sum += calls_of(check, column, operation);
  return sum;
}

TEST(BalancedTests, TakeOutWhatTheyPutIn) {
  const CheckDefinition check = queue();
  const TestSource tests = balanced_tests(check, 3, 3, 100, 1);
  ASSERT_EQ(tests.count, 100u);
  unsigned with_items = 0;
  for (std::uint64_t i = 0; i < tests.count; ++i) {
    const muster::Test test = tests.test(i);
    const std::size_t puts = calls_of(check, test, "push"), takes = calls_of(check, test, "pop");
    EXPECT_LE(puts > takes ? puts - takes : takes - puts, 1u) << to_text(check, test);
    const std::size_t in = puts + test.first.size();
    EXPECT_EQ(test.last.size(), in > takes ? in - takes : 0) << to_text(check, test);
    EXPECT_EQ(calls_of(check, test.last, "pop"), test.last.size());
    with_items += !test.first.empty();
  }
  EXPECT_GT(with_items, 25u);
  EXPECT_LT(with_items, 75u);
}

TEST(BalancedTests, HaveDistinctArguments) {
  const CheckDefinition check = queue();
  const TestSource tests = balanced_tests(check, 3, 3, 100, 1);
  for (std::uint64_t i = 0; i < tests.count; ++i) {
    std::multiset<Invocation> pushed;
    for (const Sequence& column : tests.test(i).columns) {
      for (const TestCall& call : column) {
        if (!check.invocations[call.invocation].arguments.empty()) pushed.insert(call.invocation);
      }
    }
    EXPECT_EQ(std::set(pushed.begin(), pushed.end()).size(), pushed.size()) << to_text(check, tests.test(i));
  }
}

TEST(BalancedTests, LeaveKeysToChance) {
  // Operations on one key must meet: where nearly all have arguments, these are no items.
  const CheckDefinition check = with_operations({{"add", {"1", "2"}}, {"remove", {"1", "2"}}, {"has", {"1", "2"}}});
  const TestSource tests = balanced_tests(check, 2, 2, 50, 1);
  bool any_twice = false;
  for (std::uint64_t i = 0; i < tests.count; ++i) {
    const auto columns = tests.test(i).columns;
    any_twice |= columns[0][0] == columns[1][0];
    EXPECT_TRUE(tests.test(i).first.empty() && tests.test(i).last.empty());
  }
  EXPECT_TRUE(any_twice);
}

TEST(BalancedTests, BringPairsSideBySideEarly) {
  std::vector<std::pair<std::string, std::vector<std::string>>> operations;
  for (char name = 'a'; name < 'm'; ++name) operations.push_back({std::string(1, name), {""}});
  const CheckDefinition check = with_operations(operations);
  const auto pairs_in = [&](const TestSource& tests, std::uint64_t first) {
    std::set<std::pair<unsigned, unsigned>> pairs;
    for (std::uint64_t i = 0; i < first; ++i) {
      const auto columns = tests.test(i).columns;
      for (const TestCall& a : columns[0]) {
        for (const TestCall& b : columns[1]) pairs.insert(std::minmax<unsigned>(a.invocation, b.invocation));
      }
    }
    return pairs.size();
  };
  // Twelve operations make 78 pairs; a test of 2x2 has four at most.
  EXPECT_GT(pairs_in(balanced_tests(check, 2, 2, 40, 1), 25), pairs_in(random_tests(check, 2, 2, 40, 1), 25));
  EXPECT_GE(pairs_in(balanced_tests(check, 2, 2, 40, 1), 40), 77u);
}

TEST(BalancedTests, NeverDrawWhatHasNoWeight) {
  CheckDefinition check = with_operations({{"push", {"1"}}, {"pop", {""}}, {"count", {""}}});
  check.operations[2].weight = 0;
  check.last = "count";
  const TestSource tests = balanced_tests(check, 2, 2, 30, 1);
  ASSERT_GT(tests.count, 0u);
  for (std::uint64_t i = 0; i < tests.count; ++i) {
    EXPECT_EQ(calls_of(check, tests.test(i), "count"), 0u);
    EXPECT_EQ(calls_of(check, tests.test(i).last, "count"), 1u);
    EXPECT_EQ(tests.test(i).last.size(), 1u) << "a final sequence that is stated stays";
  }
}

TEST(BalancedTests, HaveAColumnForEachRole) {
  CheckDefinition check = with_operations({{"push", {"1", "2"}}, {"pop", {""}}});
  check.roles = {{"producer", 2}, {"consumer", 2}};
  check.operations[0].role = 0;
  check.operations[1].role = 1;
  EXPECT_EQ(default_size(check), std::pair(4u, 2u));
  const TestSource tests = balanced_tests(check, 4, 2, 10, 1);
  ASSERT_GT(tests.count, 0u);
  for (std::uint64_t i = 0; i < tests.count; ++i) {
    const muster::Test test = tests.test(i);
    for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(calls_of(check, test.columns[c], c < 2 ? "push" : "pop"), 2u);
  }
}

TEST(BalancedTests, AreThreeTimesThreeUnlessMoreThreadsAreNeeded) {
  EXPECT_EQ(default_size(queue()), std::pair(3u, 3u));
  CheckDefinition one = queue();
  one.roles = {{"owner", 1}};
  one.operations[0].role = 0;
  EXPECT_EQ(default_size(one), std::pair(3u, 3u)) << "pop may be called by anybody";
  one.operations[1].role = 0;
  EXPECT_EQ(default_size(one), std::pair(1u, 3u)) << "no other column has anything to call";
}

TEST(BalancedTests, AreTheSameWithTheSameSeed) {
  const CheckDefinition check = queue();
  const TestSource one = balanced_tests(check, 3, 3, 50, 7), again = balanced_tests(check, 3, 3, 50, 7);
  for (std::uint64_t i = 0; i < 50; ++i) EXPECT_EQ(one.test(i), again.test(i));
}

}  // namespace
}  // namespace muster
