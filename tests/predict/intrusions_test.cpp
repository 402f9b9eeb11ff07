#include "predict/intrusions.hpp"

#include <gtest/gtest.h>

#include "support/memory_trace.hpp"

namespace muster::predict {
namespace {

using test::MemoryTrace;

/// "M" makes A and B, which then run `text`; what comes out is the turns of each plan.
std::vector<std::string> orders(const std::string& text) {
  MemoryTrace trace("M fork A\nM fork B\n" + text);
  std::vector<std::string> result;
  for (const Plan& plan : Intrusions(trace).plans()) {
    std::string turns;
    for (const PlanTurn& turn : plan.turns) turns += fmt::format("{} {}; ", turn.thread, turn.events);
    result.push_back(turns);
  }
  return result;
}

using Orders = std::vector<std::string>;

// Whoever adds the two accounts looks at one before a transfer and at the other after it.
TEST(Intrusions, BreakATransactionBetweenTwoVariables) {
  EXPECT_EQ(orders("A begin\nA acq l\nA r x\nA rel l\nA acq m\nA r y\nA rel m\nA end\n"
                   "B begin\nB acq l\nB w x\nB rel l\nB acq m\nB w y\nB rel m\nB end\n"),
            (Orders{"M 2; A 4; B 8; A 8; ", "M 2; B 4; A 8; B 8; "}));
}

// B found what A had put there. Had it come while A had only looked, it would have put it there, too.
TEST(Intrusions, LetSomebodyLookBeforeTheWrite) {
  EXPECT_EQ(orders("A begin\nA acq l\nA r x\nA rel l\nA acq l\nA w x\nA rel l\nA end\n"
                   "B begin\nB acq l\nB r x\nB rel l\nB end\n"),
            (Orders{"M 2; A 4; B 5; A 8; "}));
}

TEST(Intrusions, WhoeverCameFirstAlreadySawWhatWasThereBefore) {
  EXPECT_EQ(orders("B begin\nB ar x\nB end\nA begin\nA ar x\nA aw x\nA end\n"), Orders{});
}

TEST(Intrusions, AnAttemptMeetsTheLockItIsFor) {
  EXPECT_EQ(orders("A begin\nA acq l\nA w x\nA rel l\nA end\nB begin\nB tacq l\nB rel l\nB end\n"),
            (Orders{"M 2; A 2; B 4; A 5; "}));
}

// What they do under the lock was not watched.
TEST(Intrusions, LocksStandForWhatNobodyWatches) {
  EXPECT_EQ(orders("A begin\nA acq l\nA r x\nA rel l\nA acq l\nA rel l\nA end\nB begin\nB acq l\nB rel l\nB end\n"),
            (Orders{"M 2; A 4; B 4; A 7; "}));
}

TEST(Intrusions, OneCriticalSectionHasNoOpening) {
  EXPECT_EQ(orders("A begin\nA acq l\nA r x\nA w x\nA rel l\nA end\nB begin\nB acq l\nB r x\nB w x\nB rel l\nB end\n"),
            Orders{});
}

TEST(Intrusions, WhoeverMakesTheThreadsIsNotInTheirWay) {
  EXPECT_EQ(orders("M begin\nM ar x\nM aw x\nM end\nA begin\nA aw x\nA end\n"), Orders{});
}

TEST(Intrusions, PlansThatDifferInWhatNobodyNoticesHaveOneForm) {
  MemoryTrace trace(
      "M fork A\nM fork B\nA begin\nA acq l\nA r x\nA r y\nA rel l\nA acq l\nA w x\nA rel l\nA end\n"
      "B begin\nB acq l\nB w x\nB rel l\nB end\n");
  const Intrusions intrusions(trace);
  const auto form = [&](std::vector<PlanTurn> turns) {
    Plan plan;
    plan.turns = std::move(turns);
    return intrusions.form(plan);
  };
  const std::string whole = form({{"M", 2, ""}, {"A", 5, ""}, {"B", 5, ""}, {"A", 9, ""}});
  EXPECT_EQ(whole, "A 3, B 4, A");
  EXPECT_EQ(form({{"A", 5, ""}, {"B", 5, ""}, {"A", 7, ""}}), whole);
  EXPECT_NE(form({{"A", 5, ""}, {"B", 4, ""}, {"A", 9, ""}}), whole);  // B has not returned yet
  EXPECT_NE(form({{"A", 2, ""}, {"B", 5, ""}, {"A", 9, ""}}), whole);
}

}  // namespace
}  // namespace muster::predict
