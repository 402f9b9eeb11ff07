// What fork, join, condition variables, barriers and the kinds of locks allow and forbid.

#include <gtest/gtest.h>

#include "predict/predict.hpp"
#include "support/memory_trace.hpp"

namespace muster::predict {
namespace {

using test::MemoryTrace;

Report predict_text(std::string_view text) {
  MemoryTrace trace(text);
  return predict(trace, {.plans = 100});
}

std::string summary(const Report& report) {
  std::string text;
  for (const GradedGroup& graded : report.groups) {
    static constexpr const char* grades[] = {"certified", "feasible", "unscheduled"};
    text += fmt::format("{} {}; ", name(graded.group.pattern), grades[static_cast<unsigned>(graded.grade)]);
  }
  return text;
}

TEST(Order, ALostUpdateWithoutLocksIsPredicted) {
  const Report report = predict_text("A begin\nA r x\nA w x\nA end\nB begin\nB r x\nB w x\nB end\n");
  // Either thread would read another value than it did, so neither order is certified.
  EXPECT_EQ(summary(report), "read-write-write feasible; read-write-write feasible; ");
  EXPECT_EQ(report.violation_count, 0u);
}

TEST(Order, AnAccessBeforeTheForkCannotComeBetween) {
  EXPECT_EQ(summary(predict_text("A w x\nA fork B\nB begin\nB r x\nB w x\nB end\nA join B\n")), "");
}

TEST(Order, AnAccessAfterTheJoinCannotComeBetween) {
  EXPECT_EQ(summary(predict_text("A fork B\nB begin\nB r x\nB w x\nB end\nA join B\nA w x\n")), "");
}

TEST(Order, AnAccessBetweenForkAndJoinCan) {
  EXPECT_EQ(summary(predict_text("A fork B\nB begin\nB r x\nB w x\nB end\nA w x\nA join B\n")),
            "read-write-write certified; ");
}

TEST(Order, AForkInsideATransactionLetsTheChildComeBeforeItsEnd) {
  const Report report = predict_text("A begin\nA w x\nA fork B\nA w x\nA end\nB r x\n");
  EXPECT_EQ(summary(report), "write-read-write certified; ");
  ASSERT_TRUE(report.groups.at(0).plan);
  EXPECT_EQ(to_text(*report.groups[0].plan),
            "# write-read-write on x\n@fork B A 2 3\n@access A 1 write 2\n@access B 0 read 6\n@access A 3 write 4\n"
            "A 3 3\nB 1 6\nA 4 4\n");
}

TEST(Order, AForkedChildCannotComeBetweenUnderALockHeldSinceTheFork) {
  EXPECT_EQ(
      summary(predict_text("A begin\nA w x\nA acq m\nA fork B\nA w x\nA rel m\nA end\nB acq m\nB r x\nB rel m\n")), "");
}

TEST(Order, ThreadsOrderedThroughAThirdAreNotInterleaved) {
  EXPECT_EQ(summary(predict_text("M fork A\nA begin\nA r x\nA w x\nA end\nM join A\nM fork B\nB w x\nM join B\n")), "");
}

TEST(Order, AWakeComesAfterItsNotify) {
  EXPECT_EQ(summary(predict_text("A w x\nA notify c\nB wake c\nB begin\nB r x\nB w x\nB end\n")), "");
  EXPECT_EQ(summary(predict_text("A notify c\nB wake c\nB begin\nB r x\nB w x\nB end\nA w x\n")),
            "read-write-write certified; ");
}

TEST(Order, ABarrierSeparatesItsRounds) {
  EXPECT_EQ(
      summary(predict_text("A w x\nA arrive b\nB arrive b\nB leave b\nA leave b\nB begin\nB r x\nB w x\nB end\n")), "");
}

TEST(Order, SharedLocksExcludeOnlyExclusiveOnes) {
  EXPECT_EQ(summary(predict_text("A begin\nA racq m\nA w x\nA w x\nA rrel m\nA end\nB racq m\nB r x\nB rrel m\n")),
            "write-read-write certified; ");
  EXPECT_EQ(summary(predict_text("A begin\nA racq m\nA r x\nA r x\nA rrel m\nA end\nB acq m\nB w x\nB rel m\n")), "");
}

TEST(Order, AReentrantLockIsHeldUntilItsLastRelease) {
  EXPECT_EQ(summary(predict_text(
                "A begin\nA acq m\nA acq m\nA r x\nA rel m\nA w x\nA rel m\nA end\nB acq m\nB w x\nB rel m\n")),
            "");
}

TEST(Order, TwoCriticalSectionsOfOneTransactionCanBeSplit) {
  const Report report = predict_text(
      "A begin\nA acq m\nA r x\nA rel m\nA acq m\nA w x\nA rel m\nA end\nB begin\nB acq m\nB w x\nB rel m\nB end\n");
  EXPECT_EQ(summary(report), "read-write-write certified; ");
}

TEST(Order, EarlyReleaseIsCoarsenedAndSaid) {
  const Report report =
      predict_text("A begin\nA acq m\nA acq n\nA r x\nA rel m\nA w x\nA rel n\nA end\nB acq m\nB w x\nB rel m\n");
  EXPECT_TRUE(report.coarsened);
  EXPECT_EQ(summary(report), "");  // possible in truth: the price of coarsening
}

TEST(Order, OpposedLocksAreAPredictedDeadlock) {
  const Report report = predict_text("A acq m\nA acq n\nA rel n\nA rel m\nB acq n\nB acq m\nB rel m\nB rel n\n");
  ASSERT_EQ(report.deadlocks.predictions.size(), 1u);
  const DeadlockPrediction& deadlock = report.deadlocks.predictions[0];
  EXPECT_EQ(deadlock.shown().size(), 2u);
  EXPECT_EQ(deadlock.grade, Grade::certified);
  ASSERT_TRUE(deadlock.plan);
  EXPECT_EQ(to_text(*deadlock.plan),
            "# deadlock: A waits for n, held by B; B waits for m, held by A\n@wait A 1 2\n@wait B 1 6\nA 1 1\nB 1 5\n");
}

TEST(Order, ADeadlockOfThreadsThatWaitForOthersBefore) {
  const Report report = predict_text(
      "M fork A\nM fork B\nM acq n\nM signal s\nM rel n\nA await s\nA acq m\nA acq n\nA rel n\nA rel m\n"
      "B acq n\nB acq m\nB rel m\nB rel n\nM join A\nM join B\n");
  ASSERT_EQ(report.deadlocks.predictions.size(), 1u);
  ASSERT_TRUE(report.deadlocks.predictions[0].plan);
  std::string turns;
  for (const PlanTurn& turn : report.deadlocks.predictions[0].plan->turns)
    turns += fmt::format("{} {}; ", turn.thread, turn.events);
  EXPECT_EQ(turns, "M 5; A 2; B 1; ");
}

TEST(Order, ReadersWaitForWritersOnly) {
  const Report report = predict_text(
      "A racq t\nA acq m\nA rel m\nA rrel t\nB acq m\nB acq t\nB rel t\nB rel m\nC acq m\nC racq t\nC rrel t\nC rel "
      "m\n");
  ASSERT_EQ(report.deadlocks.predictions.size(), 1u);
  EXPECT_EQ(report.deadlocks.predictions[0].shown()[1].thread, 1u);
  EXPECT_TRUE(report.deadlocks.predictions[0].plan);
}

TEST(Order, TheRunsOwnOrderIsKeptBeforeThePattern) {
  // B reads y as A wrote it; were B to wait until A is where the pattern begins, it would read what A wrote later.
  const Report report = predict_text(
      "A acq l\nA w y\nA rel l\nB acq l\nB r y\nB rel l\nA acq l\nA w y\nA rel l\n"
      "A begin\nA acq m\nA r x\nA rel m\nA acq m\nA w x\nA rel m\nA end\nB acq m\nB w x\nB rel m\n");
  EXPECT_EQ(summary(report), "read-write-write certified; ");
}

TEST(Order, AGateLockOrAnOrderRulesTheDeadlockOut) {
  EXPECT_TRUE(predict_text("A acq g\nA acq m\nA acq n\nA rel n\nA rel m\nA rel g\nB acq g\nB acq n\nB acq m\nB rel "
                           "m\nB rel n\nB rel g\n")
                  .deadlocks.predictions.empty());
  EXPECT_TRUE(predict_text("A acq m\nA acq n\nA rel n\nA rel m\nA fork B\nB acq n\nB acq m\nB rel m\nB rel n\n")
                  .deadlocks.predictions.empty());
}

TEST(Order, AReadThatWouldSeeAnotherWriteIsNotCertified) {
  // Before it writes x, B reads y as A left it behind its transaction: in the predicted order it would not.
  const Report report = predict_text("A begin\nA r x\nA w x\nA end\nA w y\nB r y\nB w x\n");
  EXPECT_EQ(summary(report), "read-write-write feasible; ");
}

TEST(Order, AnImpossibleTraceIsReportedUpToThere) {
  const Report report = predict_text("A begin\nA r x\nA w x\nA end\nB w x\nB rel m\nB w x\n");
  EXPECT_EQ(report.stopped, "trace:6: B releases m, which it does not hold");
  EXPECT_EQ(report.events, 5u);
  EXPECT_EQ(summary(report), "read-write-write certified; ");
}

}  // namespace
}  // namespace muster::predict
