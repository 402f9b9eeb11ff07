// Lines of progress, word by word.

#include "harness/session/progress.hpp"

#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(Progress, TellsTheShareTheFindingsAndTheRate) {
  Coverage coverage;
  coverage.under_way.preemptions = 2;
  coverage.counters.executions = 12345;
  coverage.counters.share_done = 0.4;
  coverage.seconds = 3;
  EXPECT_EQ(describe(coverage, "queue"),
            "queue: about 40 % of bound 2, no finding yet; 12,345 executions, 4,115 a second");
  coverage.under_way.late_yields = 1;
  coverage.unbounded = true;
  coverage.left = 20000;
  EXPECT_EQ(describe(coverage, "queue"),
            "queue: about 40 % of all schedules with 1 late yield, no finding yet; 12,345 executions, 4,115 a second; "
            "about 32,000 in all");
}

TEST(Progress, OfACheckCountsTestsThatAreBegunInPart) {
  TestProgress progress;
  progress.count = 8;
  progress.done = 3;
  progress.begun = 1;
  progress.executions = 1000;
  progress.histories = 12;
  EXPECT_EQ(describe(progress, "stack", 2),
            "stack: about 50 %, no finding yet; 1,000 executions, 500 a second, 12 histories; 3 of 8 tests");
}

}  // namespace
}  // namespace muster
