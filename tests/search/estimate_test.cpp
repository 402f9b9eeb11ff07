// How many executions a search makes is told before it: by drawing a few of them.

#include <gtest/gtest.h>

#include <algorithm>

#include "search/program_generator.hpp"
#include "support/property.hpp"

namespace muster::test {
namespace {

using enum Op;

const StrategyConfig plainly{.preemptions = DepthFirstBounds::unbounded, .late_yields = 0};
const StrategyConfig by_classes{.kind = StrategyKind::reduction, .preemptions = DepthFirstBounds::unbounded};
const StrategyConfig at_bound_2{.preemptions = 2, .late_yields = 0};

SmallProgram same_threads(unsigned threads, const std::vector<Instruction>& code) {
  SmallProgram program;
  program.threads.assign(threads, code);
  return program;
}

TEST(Estimate, IsExactWhereAllExecutionsAreAlike) {
  // Each class of increments of one word is an order of them: 4! and, since those of a thread keep theirs, 6! / (2! 2!
  // 2!).
  EXPECT_NEAR(estimated(same_threads(4, {{add, 0, 1}}), by_classes, 200), 24, 2);
  EXPECT_NEAR(estimated(same_threads(3, {{add, 0, 1}, {add, 0, 1}}), by_classes, 2000), 90, 9);
  EXPECT_NEAR(estimated(same_threads(2, {{choose, 0, 2}}), by_classes, 200), 4, 0.4);
  // Nothing conflicts.
  EXPECT_NEAR(estimated({{{{add, 0, 1}}, {{add, 1, 1}}}}, by_classes, 200), 1, 0.1);
}

TEST(Estimate, OfWhatIsTooLargeToSearch) {
  // 24! / (6!)^4 orders of increments: about 2.3 * 10^12.
  const double classes = estimated(same_threads(4, std::vector<Instruction>(6, {add, 0, 1})), by_classes, 2000);
  EXPECT_GT(classes, 2.3e12 / 10);
  EXPECT_LT(classes, 2.3e12 * 10);
}

TEST(Estimate, OfAReducedSearchWithABoundIsNotKnown) {
  StrategyConfig bounded = by_classes;
  bounded.preemptions = 1;
  EXPECT_EQ(estimated(same_threads(2, {{add, 0, 1}}), bounded, 200), 0);
}

TEST(Estimate, OfARandomSearchIsWhatWasAskedFor) {
  EXPECT_EQ(estimated(same_threads(2, {{add, 0, 1}}), {.kind = StrategyKind::random, .executions = 77}, 10), 77);
}

/// What a search with growing bounds makes in all its passes.
std::uint64_t executions_up_to(const SmallProgram& program, unsigned most) {
  std::uint64_t executions = 0;
  for (unsigned bound = 0; bound <= most; ++bound) {
    const auto make = [&] { return std::make_unique<DepthFirstStrategy>(DepthFirstBounds{bound, 0}); };
    const Outcomes pass = explore_all(program, make, most_interleavings);
    executions += pass.executions;
    if (!pass.cut_by_preemptions) break;
  }
  return executions;
}

class Ratios {
 public:
  void add(double estimated, std::uint64_t found) {
    const double ratio = estimated / static_cast<double>(found);
    wrong_by_.push_back(std::max(ratio, 1 / ratio));
  }
  /// Nine of ten estimates are wrong by at most this factor.
  double usual() {
    std::sort(wrong_by_.begin(), wrong_by_.end());
    return wrong_by_[wrong_by_.size() * 9 / 10];
  }
  double worst() { return *std::max_element(wrong_by_.begin(), wrong_by_.end()); }

 private:
  std::vector<double> wrong_by_;
};

// The draws are the same in every run: if this holds once, it holds.
TEST(Estimate, OfGeneratedProgramsIsMostlyWrongByLittle) {
  const int wanted = cases(25, 400);
  Ratios plain_ratios, class_ratios, bound_ratios;
  for (int seed = 40001, compared = 0; compared < wanted; ++seed) {
    const SmallProgram program = Generator(static_cast<std::uint64_t>(seed)).program();
    const Outcomes all = plain(program);
    if (!all.exhausted || all.executions < 200) continue;
    ++compared;
    plain_ratios.add(estimated(program, plainly, 500), all.executions);
    bound_ratios.add(estimated(program, at_bound_2, 500), executions_up_to(program, 2));
    class_ratios.add(estimated(program, by_classes, 500), reduced(program, {}).complete);
  }
  RecordProperty("plain", std::to_string(plain_ratios.usual()) + " " + std::to_string(plain_ratios.worst()));
  RecordProperty("bound", std::to_string(bound_ratios.usual()) + " " + std::to_string(bound_ratios.worst()));
  RecordProperty("classes", std::to_string(class_ratios.usual()) + " " + std::to_string(class_ratios.worst()));
  EXPECT_LT(plain_ratios.usual(), 1.5);
  EXPECT_LT(plain_ratios.worst(), 5);
  EXPECT_LT(bound_ratios.usual(), 1.5);
  EXPECT_LT(bound_ratios.worst(), 2);
  EXPECT_LT(class_ratios.usual(), 2);
  EXPECT_LT(class_ratios.worst(), 5);
}

}  // namespace
}  // namespace muster::test
