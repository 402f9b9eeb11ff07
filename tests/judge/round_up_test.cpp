// The paper's own algorithms.

#include "judge/quasi/round_up.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/error.hpp"
#include "judge/quasi/quasi.hpp"
#include "spec/builtin.hpp"
#include "support/brute_force.hpp"
#include "support/property.hpp"
#include "support/relaxed_histories.hpp"

namespace muster::round_up {
namespace {

std::vector<std::vector<std::uint32_t>> all_permutations(std::uint32_t size, std::uint32_t factor) {
  std::vector<std::vector<std::uint32_t>> all;
  Permutations permutations(size, factor);
  do all.push_back(permutations.order());
  while (permutations.next());
  return all;
}

// Section V-A: of deq 1, 2, 3 only Histories 1 and 2 are other permutations with factor 1.
TEST(Permutations, OfThreeWithFactorOneAreTheTwoOfSectionVA) {
  const auto all = all_permutations(3, 1);
  const std::set<std::vector<std::uint32_t>> found(all.begin(), all.end());
  EXPECT_EQ(found, (std::set<std::vector<std::uint32_t>>{{0, 1, 2}, {1, 0, 2}, {0, 2, 1}}));
  EXPECT_EQ(all.size(), 3u);
}

TEST(Permutations, NumberAsInTheTables) {
  EXPECT_EQ(all_permutations(4, 2).size(), 14u);
  EXPECT_EQ(all_permutations(4, 3).size(), 24u);
  EXPECT_EQ(all_permutations(6, 2).size(), 73u);
  EXPECT_EQ(all_permutations(7, 2).size(), 172u);
}

TEST(Permutations, AreThoseThatDisplaceNothingTooFar) {
  for (std::uint32_t size = 0; size <= 6; ++size) {
    for (std::uint32_t factor = 0; factor <= 4; ++factor) {
      std::vector<std::uint32_t> order(size);
      for (std::uint32_t i = 0; i < size; ++i) order[i] = i;
      std::set<std::vector<std::uint32_t>> expected;
      do {
        bool close = true;
        for (std::uint32_t i = 0; i < size; ++i) close &= std::max(order[i], i) - std::min(order[i], i) <= factor;
        if (close) expected.insert(order);
      } while (std::ranges::next_permutation(order).found);
      const auto all = all_permutations(size, factor);
      EXPECT_EQ(all.size(), expected.size()) << size << " " << factor;
      EXPECT_EQ(std::set(all.begin(), all.end()), expected) << size << " " << factor;
    }
  }
}

TEST(Sequentializations, AreAllOrdersThatKeepPrecedence) {
  // Three overlap: the third may come first, which the paper's split of the first two never gives.
  const History history =
      parse_history("A: enq(1)\nB: enq(2)\nC: enq(3)\nC: -> ok\nA: -> ok\nB: -> ok\nA: deq() -> 1\n");
  const auto all = sequentializations(history);
  EXPECT_EQ(all.size(), 6u);
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), 6u);
  for (const auto& order : all) EXPECT_EQ(order.back(), 3u);
  EXPECT_THROW(sequentializations(parse_history("A: enq(1)\n")), Error);
}

TEST(Reference, WithFactorZeroIsLinearizability) {
  const SpecPtr spec = queue_spec();
  Rng rng{41};
  int passing = 0;
  const int count = test::cases(300, 5'000);
  for (int i = 0; i < count; ++i) {
    const History history = test::random_relaxed_history(rng, *spec, {.operations = 2 + rng.below(5), .reach = 1});
    Reference plain(*spec, {.factor = 0}), optimised(*spec, {.factor = 0, .optimised = true});
    const auto answer = plain.check(history);
    EXPECT_EQ(answer.quasi_linearizable, test::brute_force_linearizable(history, *spec)) << to_text(history);
    EXPECT_EQ(optimised.check(history).quasi_linearizable, answer.quasi_linearizable);
    passing += answer.linearizable;
  }
  EXPECT_GT(passing, count / 10);
  EXPECT_LT(passing, count);
}

TEST(Reference, OptimisedExploresNothingTwice) {
  const SpecPtr spec = queue_spec();
  const History history = parse_history("A: enq(1)\nB: enq(2)\nA: -> ok\nB: -> ok\nA: deq() -> 2\nB: deq() -> 1\n");
  Reference plain(*spec, {.factor = 1}), optimised(*spec, {.factor = 1, .optimised = true});
  const auto first = optimised.check(history), again = optimised.check(history);
  EXPECT_EQ(plain.check(history).permutations, plain.check(history).permutations);
  EXPECT_LT(first.permutations, plain.check(history).permutations);
  EXPECT_EQ(again.permutations, 0u);
  EXPECT_EQ(again.quasi_linearizable, first.quasi_linearizable);
}

// One factor over the whole sequence is another definition: insertions and removals may both give way a little.
TEST(Reference, AndTheRelaxedQueueDiffer) {
  const SpecPtr spec = queue_spec();
  const History history = parse_history(
      "A: enq(0)\nA: -> ok\nA: enq(1)\nA: -> ok\nA: enq(2)\nA: -> ok\nA: deq() -> 1\nA: deq() -> 2\nA: deq() -> 0\n");
  EXPECT_TRUE(Reference(*spec, {.factor = 1}).check(history).quasi_linearizable);
  EXPECT_FALSE(Reference(*spec, {.factor = 1, .method = 1}).check(history).quasi_linearizable);
  EXPECT_FALSE(passes(judge_factors(history, spec, parse_factors("1", *spec))));
  EXPECT_TRUE(passes(judge_factors(history, spec, parse_factors("2", *spec))));
}

}  // namespace
}  // namespace muster::round_up
