// The engine finds what the axioms allow, however its executions begin.

#include <gtest/gtest.h>

#include <algorithm>

#include "memory/engine/runner.hpp"
#include "memory/engine/shapes.hpp"
#include "memory/generator.hpp"
#include "memory/oracle.hpp"
#include "support/property.hpp"

namespace muster::weak {
namespace {

struct Total {
  std::uint64_t searches = 0, executions = 0, older = 0;
};

std::string listed(const char* what, const Outcomes& outcomes, const Outcomes& but) {
  std::string text;
  for (const Outcome& outcome : outcomes) {
    if (!but.contains(outcome)) text += what + to_string(outcome) + "\n";
  }
  return text;
}

/// Executions that go on from saved points, and those that all begin at their start.
void compare(const Program& program, const Outcomes& expected, Total& total, RuntimeOptions options) {
  const Explored explored = explore(program, options);
  options.from_start = true;
  const Explored again = explore(program, options);
  ASSERT_EQ(explored.trouble + again.trouble, "") << to_string(program);
  ASSERT_EQ(listed("not allowed: ", explored.outcomes, expected), "") << to_string(program);
  ASSERT_EQ(again.outcomes, explored.outcomes) << to_string(program);
  ASSERT_EQ(again.executions, explored.executions) << to_string(program);
  if (!explored.exhausted) return;
  ++total.searches;
  total.executions += explored.executions;
  total.older += explored.older;
  ASSERT_EQ(listed("missed: ", expected, explored.outcomes), "") << to_string(program);
}

/// The same by classes: with source sets, with sleep sets alone, and from the start of each execution.
void compare_classes(const Program& program, const Outcomes& expected, Total& total, RuntimeOptions options) {
  for (const bool every_thread : {false, true}) {
    const Explored explored = explore_classes(program, options, every_thread);
    ASSERT_EQ(explored.trouble, "") << to_string(program);
    ASSERT_EQ(listed("by classes, not allowed: ", explored.outcomes, expected), "") << to_string(program);
    if (!explored.exhausted) continue;
    ++total.searches;
    total.executions += explored.executions;
    ASSERT_EQ(listed("by classes, missed: ", expected, explored.outcomes), "") << to_string(program) << every_thread;
  }
  RuntimeOptions from_start = options;
  from_start.from_start = true;
  const Explored saved = explore_classes(program, options, false);
  const Explored again = explore_classes(program, from_start, false);
  ASSERT_EQ(again.trouble, "") << to_string(program);
  ASSERT_EQ(saved.executions, again.executions) << to_string(program);
  ASSERT_EQ(saved.outcomes, again.outcomes) << to_string(program);
}

/// Programs of such shapes, on the engine and by the axioms.
void compare_with_axioms(std::uint64_t first_seed, unsigned seeds, unsigned loops) {
  Total total, by_classes;
  unsigned programs = 0, stuck = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    Shape shape = random_shape(rng);
    shape.loops = shape.loops * loops / 100;
    const Program program = random_program(rng, shape);
    const OracleAnswer oracle =
        ask_oracle(program, {.most_accesses = 10, .most_combinations = 100'000, .most_graphs = 5'000});
    if (!oracle.complete) continue;
    ++programs;
    stuck += std::ranges::any_of(oracle.outcomes, [](const Outcome& outcome) {
      return std::ranges::any_of(outcome.threads, [](const Outcome::Thread& thread) { return thread.stuck; });
    });
    const RuntimeOptions options{.memory_model = MemoryModel::c11, .spurious_failures = 20, .spin_budget = 2};
    compare(program, oracle.outcomes, total, options);
    compare_classes(program, oracle.outcomes, by_classes, options);
    const Explored drawn = sample(program, options, seed, 100);
    ASSERT_EQ(drawn.trouble, "") << to_string(program);
    ASSERT_EQ(listed("not allowed: ", drawn.outcomes, oracle.outcomes), "") << to_string(program);
    if (testing::Test::HasFatalFailure()) return;
  }
  testing::Test::RecordProperty("programs", static_cast<int>(programs));
  testing::Test::RecordProperty("with_stuck_threads", static_cast<int>(stuck));
  testing::Test::RecordProperty("searches", static_cast<int>(total.searches));
  testing::Test::RecordProperty("executions", static_cast<int>(total.executions));
  testing::Test::RecordProperty("executions_by_classes", static_cast<int>(by_classes.executions));
  EXPECT_GT(programs, seeds * 3 / 4);
  EXPECT_GT(total.searches, programs * 3 / 4);
  EXPECT_GT(total.older, programs);
}

/// Where all is seq_cst, or only the newest values are asked for, nothing is added.
TEST(WeakMemory, CostsNothingWhereAllIsSeqCst) {
  std::uint64_t executions = 0;
  for (std::uint64_t seed = 1; seed <= (test::full_run() ? 2'000u : 100u); ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Program program = random_program(rng, {.strong = 100, .loops = 0});
    const Explored older = explore(program, {.memory_model = MemoryModel::c11}), newest = explore(program, {});
    ASSERT_EQ(older.outcomes, newest.outcomes) << to_string(program);
    ASSERT_EQ(older.older, 0u) << to_string(program);
    executions += older.executions;
    ASSERT_EQ(older.executions, newest.executions) << to_string(program);
  }
  EXPECT_GT(executions, 1'000u);
}

TEST(WeakMemory, HasTheOutcomesOfTheAxiomsInAllLitmusTests) {
  const unsigned every = test::full_run() ? 1 : 29;
  unsigned number = 0;
  Total total, by_classes;
  const unsigned programs = for_each_litmus_test([&](const Program& program) {
    if (number++ % every != 0 || testing::Test::HasFatalFailure()) return;
    const OracleAnswer oracle = ask_oracle(program);
    ASSERT_TRUE(oracle.complete) << to_string(program);
    compare(program, oracle.outcomes, total, {.memory_model = MemoryModel::c11});
    compare_classes(program, oracle.outcomes, by_classes, {.memory_model = MemoryModel::c11});
  });
  EXPECT_EQ(programs, 5'413u);
  EXPECT_GT(total.older, 0u);
  testing::Test::RecordProperty("executions", static_cast<int>(total.executions));
  testing::Test::RecordProperty("executions_by_classes", static_cast<int>(by_classes.executions));
}

TEST(WeakMemory, HasTheOutcomesOfTheAxioms) { compare_with_axioms(1, test::full_run() ? 10'000 : 400, 0); }

TEST(WeakMemory, HasTheOutcomesOfTheAxiomsWhereThreadsWait) {
  compare_with_axioms(1, test::full_run() ? 1'000 : 12, 50);
}

}  // namespace
}  // namespace muster::weak
