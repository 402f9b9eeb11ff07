// The machine finds what the axioms allow, however it is searched: random programs.

#include "support/property.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "memory/generator.hpp"
#include "memory/oracle.hpp"
#include "memory/search.hpp"

namespace muster::weak {
namespace {

constexpr Search every_order{.reduction = Reduction::none, .cut = Cut::any_step};
constexpr Search waits{.reduction = Reduction::none, .loops = Loops::wait};
constexpr Search sleep_sets{.reduction = Reduction::sleep, .cut = Cut::any_step};
constexpr Search source_sets{.reduction = Reduction::source};
constexpr Search uncut{.reduction = Reduction::sleep, .cut = Cut::never, .check_graphs = true};

Search without_rule(Search how) {
  how.rule = Rule::all;
  return how;
}

/// Whether all of the search was made; then what it found is what is expected.
bool finds(const Program& program, Search how, const Outcomes& expected) {
  how.most_executions = 20'000;
  const Found found = search(program, how);
  EXPECT_EQ(found.refuted, 0u) << to_string(program);
  if (!found.complete) return false;
  EXPECT_EQ(found.outcomes, expected) << to_string(program);
  return true;
}

struct Tally {
  unsigned programs = 0, stuck = 0, with_every_order = 0;
};

void compare_with_axioms(std::uint64_t first_seed, unsigned programs, Tally& tally) {
  for (std::uint64_t seed = first_seed; seed < first_seed + programs; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Program program = random_program(rng, random_shape(rng));
    const OracleAnswer oracle =
        ask_oracle(program, {.most_accesses = 10, .most_combinations = 100'000, .most_graphs = 5'000});
    if (!oracle.complete) continue;
    ++tally.programs;
    tally.stuck += std::ranges::any_of(oracle.outcomes, [](const Outcome& outcome) {
      return std::ranges::any_of(outcome.threads, [](const Outcome::Thread& thread) { return thread.stuck; });
    });
    for (const Search& how : {sleep_sets, source_sets, uncut}) EXPECT_TRUE(finds(program, how, oracle.outcomes));
    bool all = true;
    for (const Search& how : {every_order, waits, without_rule(every_order), without_rule(waits)})
      all &= finds(program, how, oracle.outcomes);
    tally.with_every_order += all;
    if (testing::Test::HasFailure()) return;
  }
}

TEST(MachineAndAxioms, AgreeOnRandomPrograms) {
  Tally tally;
  compare_with_axioms(1, test::full_run() ? 10'000 : 150, tally);
  RecordProperty("programs", static_cast<int>(tally.programs));
  RecordProperty("with_stuck_threads", static_cast<int>(tally.stuck));
  RecordProperty("with_every_order", static_cast<int>(tally.with_every_order));
  EXPECT_GT(tally.programs, test::full_run() ? 8'000u : 120u);
  EXPECT_GT(tally.stuck, tally.programs / 5);
  EXPECT_GT(tally.with_every_order, tally.programs / 2);
}

/// What the lemma about silent turns says, by the axioms alone: executions that make such turns show nothing else.
TEST(Axioms, TurnsThatLeaveAllAsItWasShowNothingElse) {
  unsigned compared = 0;
  for (std::uint64_t seed = 1; seed <= (test::full_run() ? 2'000u : 60u); ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    Shape shape{.threads = 2 + static_cast<unsigned>(seed % 2), .statements = 4, .loops = 50};
    const Program program = random_program(rng, shape);
    OracleOptions options{.most_accesses = 8, .most_combinations = 20'000, .most_graphs = 20'000};
    const OracleAnswer without = ask_oracle(program, options);
    options.silent_turns = 1;
    options.most_accesses = 12;
    const OracleAnswer with = ask_oracle(program, options);
    if (!without.complete || !with.complete) continue;
    ++compared;
    ASSERT_EQ(with.outcomes, without.outcomes) << to_string(program);
  }
  RecordProperty("programs", static_cast<int>(compared));
  EXPECT_GT(compared, test::full_run() ? 1'000u : 30u);
}

/// Turns that are left out have their accesses, too: what races with them is found.
TEST(MachineAndAxioms, AgreeOnRaces) {
  unsigned compared = 0, racy = 0;
  for (std::uint64_t seed = 1; seed <= (test::full_run() ? 3'000u : 150u); ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Program program = random_program(
        rng, {.threads = 2 + static_cast<unsigned>(seed % 2), .statements = 5, .strong = 10, .plain = 40, .loops = 40});
    const OracleAnswer oracle = ask_oracle(
        program,
        {.silent_turns = 1, .most_accesses = 12, .races = true, .most_combinations = 20'000, .most_graphs = 20'000});
    if (!oracle.complete) continue;
    ++compared;
    racy += !oracle.races.empty();
    for (const Search& how : {sleep_sets, source_sets, waits}) {
      std::set<Race> found;
      search(program, how, [&](const Machine& machine) { found.merge(races(machine.graph(), w)); });
      ASSERT_TRUE(found == oracle.races) << to_string(program);
    }
  }
  RecordProperty("programs", static_cast<int>(compared));
  RecordProperty("with_races", static_cast<int>(racy));
  EXPECT_GT(compared, test::full_run() ? 2'000u : 100u);
  EXPECT_GT(racy, compared / 8);
}

TEST(EssentialRule, CostsNothingWhereAllIsSeqCst) {
  std::size_t executions = 0;
  for (std::uint64_t seed = 1; seed <= (test::full_run() ? 5'000u : 100u); ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Program program = random_program(rng, {.strong = 100});
    Search newest = sleep_sets;
    newest.rule = Rule::newest;
    const Found without = search(program, newest), with = search(program, sleep_sets);
    ASSERT_EQ(with.outcomes, without.outcomes) << to_string(program);
    ASSERT_EQ(with.executions, without.executions) << to_string(program);
    executions += with.executions;
  }
  EXPECT_GT(executions, 500u);
}

/// Larger programs, in which only orders of steps and cuts differ.
TEST(Machine, SearchesAgreeOnLargerPrograms) {
  unsigned compared = 0;
  for (std::uint64_t seed = 1; seed <= (test::full_run() ? 20'000u : 300u); ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    Shape shape = random_shape(rng);
    shape.threads = 3 + static_cast<unsigned>(seed % 2);
    shape.statements += 1 + static_cast<unsigned>(seed % 3);
    shape.loops = shape.loops / 2 + 10;
    const Program program = random_program(rng, shape);
    Search reference = uncut;
    reference.check_graphs = false;
    reference.most_executions = 3'000;
    const Found all = search(program, reference);
    if (!all.complete) continue;
    ++compared;
    for (const Search& how : {sleep_sets, source_sets}) ASSERT_TRUE(finds(program, how, all.outcomes));
    if (testing::Test::HasFailure()) return;
  }
  RecordProperty("programs", static_cast<int>(compared));
  EXPECT_GT(compared, test::full_run() ? 19'000u : 280u);
}

}  // namespace
}  // namespace muster::weak
