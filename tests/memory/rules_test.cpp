// What each part of the rules is for: programs in which a simpler rule is wrong.

#include <gtest/gtest.h>

#include <algorithm>

#include "memory/oracle.hpp"
#include "memory/search.hpp"

namespace muster::weak {
namespace {

Found agrees_with_axioms(const Program& program, const Search& how) {
  const Found found = search(program, how);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.outcomes, ask_oracle(program).outcomes) << to_string(program);
  return found;
}
bool has_stuck_thread(const Found& found) {
  return std::ranges::any_of(found.outcomes, [](const Outcome& outcome) {
    return std::ranges::any_of(outcome.threads, [](const Outcome::Thread& thread) { return thread.stuck; });
  });
}
void misses_some(const Program& program, const Search& how) {
  const Outcomes all = ask_oracle(program).outcomes;
  const Outcomes found = search(program, how).outcomes;
  EXPECT_LT(found.size(), all.size());
  EXPECT_TRUE(std::ranges::includes(all, found));
}

constexpr Search ways[] = {{.reduction = Reduction::none},
                           {.reduction = Reduction::none, .loops = Loops::wait},
                           {.rule = Rule::all, .reduction = Reduction::none, .loops = Loops::wait},
                           {.reduction = Reduction::sleep, .cut = Cut::any_step},
                           {.reduction = Reduction::source}};

// ---- which choices are essential ----

/// C reads 1, which was put under the 3 that its writer knew of: no order has the read before the 3.
TEST(EssentialRule, AReadMayBeOlderThanWhatItsMessageKnows) {
  const Program program{
      {store(x, 3, rlx) + store(y, 1, rlx), load(a, y, rlx) + when(a, 1, store(x, 1, rlx)), load(a, x, rlx)}};
  agrees_with_axioms(program, {.reduction = Reduction::sleep});
  misses_some(program, {.rule = Rule::by_thread, .reduction = Reduction::sleep});
}

TEST(EssentialRule, ItLeavesFewerExecutionsButNoOutcome) {
  const Program program{
      {store(x, 1, rlx) + store(y, 1, rlx), store(x, 2, rlx) + store(y, 2, rlx), load(a, y, rlx) + load(b, x, rlx)}};
  const Found all = agrees_with_axioms(program, {.rule = Rule::all, .reduction = Reduction::sleep});
  const Found essential = agrees_with_axioms(program, {.reduction = Reduction::sleep});
  EXPECT_LT(essential.executions * 2, all.executions);
}

// ---- who waits for ever ----

/// The second loop may see the old x for a while, long after nothing is written any more.
TEST(Waiting, ATurnWithAnOldValueIsNoStandstill) {
  const Program program{{store(x, 1, rlx) + store(y, 1, rlx), await(a, y, rlx, 1) + await(b, x, rlx, 1)}};
  for (const Search& how : ways) EXPECT_FALSE(has_stuck_thread(agrees_with_axioms(program, how)));
}

TEST(Waiting, AFlagThatNobodySets) {
  const Program program{{await(a, x, acq, 1), store(y, 1, rlx)}};
  for (const Search& how : ways) {
    const Found found = agrees_with_axioms(program, how);
    ASSERT_EQ(found.outcomes.size(), 1u);
    EXPECT_TRUE(found.outcomes.begin()->threads[0].stuck);
  }
}

/// Each writes 1 over 1 in every turn: that is no news for the other one.
TEST(Waiting, TwoThatSpinDoNotWakeEachOther) {
  const Code lock = repeat_while(exchange(a, x, 1, acq_rel), a, 1);
  const Program program{{lock, lock, lock}};
  for (const Search& how : ways) EXPECT_TRUE(has_stuck_thread(agrees_with_axioms(program, how)));
}

TEST(Waiting, AnExchangeThatFailsForNothingIsNoStandstill) {
  const Program program{{repeat_while(weak_compare_exchange(a, x, 0, 1, rlx), a, 0), store(y, 1, rlx)}};
  for (const Search& how : ways) EXPECT_FALSE(has_stuck_thread(agrees_with_axioms(program, how)));
}

/// What the newest values lead to counts, not whether something was written meanwhile: 0, 1 and again 0.
TEST(Waiting, AValueMayComeBack) {
  const Program program{{store(x, 1, rlx) + store(x, 0, rlx), await(a, x, rlx, 1)}};
  for (const Search& how : ways) EXPECT_TRUE(has_stuck_thread(agrees_with_axioms(program, how)));
}

/// B finds out that A has ended, reads an old value all the same, and its exchange meets the new one.
TEST(Waiting, AThreadThatIsAloneMayStillTryInVain) {
  const Program program{{store(x, 1, rlx) + store(y, 1, rlx),
                         load(a, y, rlx) + load(b, x, rlx) + compare_exchange(c, x, value_of(b), 2, rlx)}};
  for (const Search& how : ways) {
    const Found found = agrees_with_axioms(program, how);
    EXPECT_TRUE(std::ranges::any_of(found.outcomes, [](const Outcome& outcome) {
      const auto& regs = outcome.threads[1].at.regs;
      return regs[a] == 1 && regs[b] == 0 && regs[c] == 0;
    }));
  }
}

// ---- which turns leave all as it was ----

Outcomes with_turn(const Code& turn) {
  const Program program{{store(z, 1, rlx) + store(y, 1, rel) + turn, load(a, y, acq) + load(b, z, rlx)}};
  return ask_oracle(program).outcomes;
}
/// An update that writes what it read continues what was released there: whoever reads it could have read what it read.
TEST(SilentTurns, AnUpdateThatChangesNothingIsSilent) {
  EXPECT_EQ(with_turn(exchange(nowhere, y, 1, rlx)), with_turn({}));
  EXPECT_EQ(with_turn(fetch_add(nowhere, y, 0, acq_rel)), with_turn({}));
  EXPECT_EQ(with_turn(compare_exchange(nowhere, y, 5, 1, rlx)), with_turn({}));
}
/// A store of the value that was there does not: who reads it acquires nothing.
TEST(SilentTurns, AStoreNeverIs) { EXPECT_GT(with_turn(store(y, 1, rlx)).size(), with_turn({}).size()); }

// ---- steps in vain, under source sets ----

const Program one_looks_and_one_increments{{store(x, 2, rel), repeat_until(load(a, x, rlx) + load(d, y, rlx), d, 3),
                                            exchange(b, y, 2, rel), fetch_add(c, y, 1, acq_rel)}};

/// Ending an execution where a thread comes round hides what the others do later.
TEST(SourceSets, AStepInVainIsNoAnswerToARace) {
  agrees_with_axioms(one_looks_and_one_increments, {.reduction = Reduction::source});
  misses_some(one_looks_and_one_increments, {.reduction = Reduction::source, .look_further = false});
}

/// It may end where the thread comes round with what is old already, but not where the next write makes it old.
TEST(SourceSets, AnExecutionEndsOnlyAtTheTurnItself) {
  const Program program{
      {repeat_until(load(b, x, acq) + load(d, y, acq), d, 1), store(x, 1, rlx) + fetch_add(c, y, 1, rlx)}};
  agrees_with_axioms(program, {.reduction = Reduction::source});
  agrees_with_axioms(program, {.reduction = Reduction::sleep, .cut = Cut::any_step});
  misses_some(program, {.reduction = Reduction::source, .cut = Cut::any_step});
}

}  // namespace
}  // namespace muster::weak
