// Reduced search must find what plain enumeration finds: outcomes (all that was read, final memory, who is stuck) and
// races, on programs from a generator.

#include <gtest/gtest.h>

#include <functional>

#include "search/program_generator.hpp"
#include "search/shrink.hpp"
#include "support/property.hpp"

namespace muster::test {
namespace {

/// A smaller program on which the two searches still differ, for the message.
std::string smaller(const SmallProgram& program) {
  const auto differs = [](const SmallProgram& other) { return difference(plain(other), reduced(other, {})); };
  const SmallProgram small = shrunk(program, [&](const SmallProgram& other) { return !differs(other).empty(); });
  return "\nsmallest:\n" + differs(small) + to_text(small);
}

TEST(Reduction, FindsTheOutcomesOfGeneratedPrograms) {
  const int wanted = cases(100, 2000);
  std::uint64_t plain_executions = 0, complete = 0, reduced_executions = 0;
  for (int seed = 1, compared = 0; compared < wanted; ++seed) {
    const SmallProgram program = Generator(static_cast<std::uint64_t>(seed)).program();
    const Outcomes all = plain(program);
    if (!all.exhausted) continue;
    ++compared;
    const Outcomes found = reduced(program, {});
    ASSERT_EQ(difference(all, found), "") << "seed " << seed << "\n" << to_text(program) << smaller(program);
    ASSERT_TRUE(found.exhausted);
    plain_executions += all.executions;
    complete += found.complete;
    reduced_executions += found.executions;
  }
  RecordProperty("plain", std::to_string(plain_executions));
  RecordProperty("classes", std::to_string(complete));
  RecordProperty("executions", std::to_string(reduced_executions));
  EXPECT_LT(complete, plain_executions / 4);
}

TEST(Reduction, OneNamingOfThreadsWithTheSameCodeShowsTheOutcomesOfAll) {
  const int wanted = cases(25, 2000);
  std::uint64_t all_complete = 0, complete = 0;
  for (int seed = 20001; seed <= 20000 + wanted; ++seed) {
    SmallProgram program = Generator(static_cast<std::uint64_t>(seed)).program();
    program.threads[1] = program.threads[0];
    if (program.threads.size() > 2 && seed % 2) program.threads.back() = program.threads[0];
    const Outcomes all = reduced(program, {});
    if (!all.exhausted || all.executions > 10'000) continue;
    for (const bool every : {false, true}) {
      const Outcomes found = reduced(program, {.every_thread = every, .symmetry = Symmetry::threads});
      ASSERT_EQ(difference(without_names(program, all), without_names(program, found)), "") << "seed " << seed << "\n"
                                                                                            << to_text(program);
      ASSERT_EQ(difference(all, found).find("made up"), std::string::npos) << "seed " << seed << "\n"
                                                                           << to_text(program);
      complete += found.complete;
    }
    all_complete += all.complete;
  }
  EXPECT_LT(complete / 2, all_complete * 2 / 3);
}

TEST(Reduction, GoesBackToSavedPoints) {
  if (preferred_context_mode() != ContextMode::fiber) GTEST_SKIP() << "kernel threads begin at their start";
  const SmallProgram program{std::vector(3, std::vector<Instruction>(2, {Op::add, 0, 1}))};
  for (const auto& search : {std::function([&] { return plain(program); }), {[&] { return reduced(program, {}); }}}) {
    const std::uint64_t before = small_program_starts();
    EXPECT_GE(search().executions, 90);
    EXPECT_LT(small_program_starts() - before, 10);
  }
}

// Each in turn: from the second search on it is known where loops begin.
TEST(Reduction, ALoopThatWaitsAfterAnExchangeInVainIsNoAttemptInVain) {
  const SmallProgram program{
      {{{Op::spin_lock, 1}, {Op::store, 1, 0}}, {{Op::compare_exchange, 1, 0, 2}, {Op::spin_until, 1, 1}}}};
  for (const bool every : {false, true, false, true})
    EXPECT_EQ(difference(plain(program), reduced(program, {.every_thread = every})), "");
}

/// Source sets find what sleep sets alone find, in as many complete executions.
void compare_with_sleep_sets(const SmallProgram& program) {
  const Outcomes every = reduced(program, {.every_thread = true});
  if (!every.exhausted) return;
  const Outcomes found = reduced(program, {});
  ASSERT_EQ(difference(every, found), "") << to_text(program);
  ASSERT_EQ(every.complete, found.complete) << to_text(program);
}

TEST(Reduction, SourceSetsFindTheClassesOfSleepSets) {
  const int wanted = cases(50, 1000);
  for (int seed = 5001; seed <= 5000 + wanted; ++seed) {
    SCOPED_TRACE(seed);
    ASSERT_NO_FATAL_FAILURE(compare_with_sleep_sets(Generator(static_cast<std::uint64_t>(seed)).program()));
  }
}

TEST(Reduction, SourceSetsFindTheClassesOfSleepSetsWhereAttemptsFail) {
  const int wanted = cases(200, 10'000);
  for (int seed = 1; seed <= wanted; ++seed) {
    SCOPED_TRACE(seed);
    ASSERT_NO_FATAL_FAILURE(compare_with_sleep_sets(Generator(static_cast<std::uint64_t>(seed)).crowd()));
  }
}

TEST(Reduction, SharedAmongWorkersOrStoppedHasTheSameOutcomesAndAsManyCompleteExecutions) {
  const int wanted = cases(60, 2000);
  for (int seed = 7001; seed <= 7000 + wanted; ++seed) {
    const SmallProgram program = Generator(static_cast<std::uint64_t>(seed)).program();
    const ReductionConfig config = seed % 4 == 0 ? ReductionConfig::with_bound(2) : ReductionConfig{};
    const Outcomes alone = reduced(program, config);
    if (!alone.exhausted || alone.executions > static_cast<std::uint64_t>(cases(10'000, 400'000))) continue;
    const auto stop_once_in = seed % 3 == 0 ? static_cast<unsigned>(alone.executions / 4 + 5) : 0;
    const Outcomes together =
        shared(program, config, 1 + static_cast<unsigned>(seed) % 4, static_cast<std::uint64_t>(seed), stop_once_in);
    ASSERT_EQ(difference(alone, together), "") << "seed " << seed << "\n" << to_text(program);
    ASSERT_EQ(alone.complete, together.complete) << "seed " << seed << "\n" << to_text(program);
  }
}

TEST(Reduction, DividedIntoPartsHasTheSameOutcomesAndAsManyCompleteExecutions) {
  const int wanted = cases(60, 2000);
  for (int seed = 8001; seed <= 8000 + wanted; ++seed) {
    const SmallProgram program = Generator(static_cast<std::uint64_t>(seed)).program();
    const ReductionConfig config = seed % 4 == 0 ? ReductionConfig::with_bound(2) : ReductionConfig{};
    const Outcomes alone = reduced(program, config);
    if (!alone.exhausted || alone.executions > static_cast<std::uint64_t>(cases(10'000, 400'000))) continue;
    const auto stop_once_in = static_cast<unsigned>(alone.executions / 6 + 3);
    const Outcomes together =
        shared(program, config, 1 + static_cast<unsigned>(seed) % 3, static_cast<std::uint64_t>(seed), stop_once_in,
               2 + static_cast<unsigned>(seed) % 9);
    ASSERT_EQ(difference(alone, together), "") << "seed " << seed << "\n" << to_text(program);
    ASSERT_EQ(alone.complete, together.complete) << "seed " << seed << "\n" << to_text(program);
  }
}

TEST(Reduction, WithABoundFindsWhatTheBoundHasAndNothingThatThereIsNot) {
  const int wanted = cases(30, 400);
  for (int seed = 1, compared = 0; compared < wanted; ++seed) {
    const SmallProgram program = Generator(static_cast<std::uint64_t>(seed)).program();
    const Outcomes all = plain(program);
    if (!all.exhausted) continue;
    ++compared;
    for (unsigned bound = 0; bound <= 3; ++bound) {
      const std::string text = outside(plain(program, bound), reduced(program, {.preemptions = bound}), all);
      ASSERT_EQ(text, "") << "bound " << bound << ", seed " << seed << "\n" << to_text(program);
    }
  }
}

}  // namespace
}  // namespace muster::test
