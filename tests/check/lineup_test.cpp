// The examples of the paper, and the rules of what a failure proves, through the programs a user would run.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/rng.hpp"
#include "support/command.hpp"
#include "support/property.hpp"

namespace muster::test {
namespace {

class LineUp : public ::testing::Test {
 protected:
  Outcome lineup(const std::string& arguments) {
    return run(std::string(MUSTER_LINEUP_CHECKS) + " --folder " + folder_.path("saved") + " " + arguments);
  }
  Outcome small(const std::string& arguments) {
    return run(std::string(MUSTER_SMALL_CHECKS) + " --folder " + folder_.path("saved") + " " + arguments);
  }
  static std::string content(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  TemporaryFolder folder_;
};

bool says(const Outcome& outcome, const std::string& text) { return outcome.out.find(text) != std::string::npos; }

TEST_F(LineUp, Section221ALostIncrementIsFound) {
  const Outcome outcome = lineup("counter1 --matrix 'inc, get | inc'");
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_TRUE(says(outcome, "A's get() returned 1; in every serial order it returns 2.")) << outcome.out;
}

TEST_F(LineUp, Section222OnlyTheGeneralDefinitionSeesWhatBlocks) {
  const std::string record = folder_.path("counter.xml");
  EXPECT_EQ(lineup("counter --matrix 'inc, get | inc' --observations " + record).code, 0);
  const Outcome general = lineup("counter2 --against " + record);
  EXPECT_EQ(general.code, 1) << general.out;
  EXPECT_TRUE(says(general, "B's inc() never returns")) << general.out;
  EXPECT_TRUE(says(general, "Differs from the record")) << general.out;
  EXPECT_EQ(lineup("counter2 --classic --against " + record).code, 0);
  EXPECT_EQ(lineup("counter --against " + record).code, 0);
}

TEST_F(LineUp, Figure1TryTakeFailsAlthoughTheQueueIsNotEmpty) {
  const std::string matrix = " --matrix 'Add(200), TryTake | Add(400), TryTake'";
  const Outcome outcome = lineup("queue_pre" + matrix);
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_TRUE(says(outcome, "TryTake() → nothing")) << outcome.out;
  EXPECT_EQ(lineup("queue_pre_repaired" + matrix).code, 0);
}

TEST_F(LineUp, Figure7TheObservationFile) {
  const std::string file = folder_.path("figure7.xml");
  ASSERT_EQ(lineup("queue_pre --matrix 'Add(200), Add(400) | Take, TryTake' --observations " + file).code, 0);
  EXPECT_EQ(content(file), content(std::string(MUSTER_SOURCE_DIR) + "/tests/check/figure7.xml"));
  EXPECT_EQ(lineup("queue_pre --against " + file).code, 1);
  EXPECT_EQ(lineup("queue_pre_repaired --against " + file).code, 0);
}

TEST_F(LineUp, ADamagedObservationFileIsAnErrorWithItsLine) {
  const std::string good = content(std::string(MUSTER_SOURCE_DIR) + "/tests/check/figure7.xml");
  const auto damaged = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return lineup("queue_pre --against " + folder_.file("damaged.xml", text));
  };
  for (const auto& [from, to, complaint] :
       {std::tuple("</observation>", "", "damaged.xml:"),
        std::tuple("<history>1[ ]1", "<history>1[ ]2", "damaged.xml:9: '1[' must be followed by its return"),
        std::tuple("<thread id=\"A\">1 2", "<thread id=\"C\">1 2", "damaged.xml:3: the test has no thread 'C'"),
        std::tuple("test=\"Add(200)", "test=\"Add(300)", "no invocation 'Add(300)'"),
        std::tuple("name=\"Take\"", "name=\"Give\"", "operation 3 is Take() in the test")}) {
    const Outcome outcome = damaged(from, to);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_TRUE(says(outcome, complaint)) << outcome.out;
  }
  EXPECT_EQ(lineup("queue_pre --matrix 'Add(200) | Take' --against " + folder_.file("other.xml", good)).code, 2);
}

TEST_F(LineUp, Figure9AWaiterThatIsNeverUnblocked) {
  const std::string matrix = " --matrix 'Wait | Set, Reset, Set'";
  const Outcome outcome = lineup("manual_reset_event_pre" + matrix);
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_TRUE(says(outcome, "A's Wait() never returns")) << outcome.out;
  EXPECT_EQ(lineup("manual_reset_event" + matrix).code, 0);
}

TEST_F(LineUp, ThreeTimesThreeWithoutBlockingHas1680SerialHistories) {
  const std::string summary = folder_.path("summary.csv");
  ASSERT_EQ(lineup("concurrent_stack --tests 2 --bound 0 --summary " + summary).code, 0);
  EXPECT_NE(content(summary).find("concurrent_stack,2,1680,1680,"), std::string::npos) << content(summary);
}

TEST_F(LineUp, AFailureIsMadeSmallSavedAndReplayed) {
  const Outcome outcome = lineup("concurrent_queue_pre");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_FALSE(says(outcome, "Not shown to be minimal")) << outcome.out;
  const Outcome replayed = lineup("--replay concurrent_queue_pre-1");
  EXPECT_EQ(replayed.code, 1) << replayed.out;
  EXPECT_TRUE(says(replayed, "How it happened")) << replayed.out;
  EXPECT_EQ(lineup("--recheck concurrent_queue_pre-1").code, 1);
}

TEST_F(LineUp, OwnThreadsAreAVerdictOfTheirOwn) {
  const Outcome outcome = lineup("thread_pool --matrix 'Submit(1), Completed | Completed'");
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_TRUE(says(outcome, "nondeterministic because of its own threads")) << outcome.out;
  EXPECT_EQ(lineup("thread_pool_drained --matrix 'Submit(1) | Drain'").code, 0);
}

TEST_F(LineUp, BarriersAreNotLinearizable) {
  EXPECT_EQ(lineup("barrier --matrix 'SignalAndWait | SignalAndWait'").code, 1);
}

TEST_F(LineUp, DeclaredOperationsAreExcused) {
  // Figure 7's style of interference: Count may answer 0 while a take is under way.
  const std::string late = " --matrix 'Add(20) | CompleteAdding, IsCompleted'";
  EXPECT_EQ(lineup("blocking_collection_declared" + late).code, 0);
}

TEST_F(LineUp, NoFalseAlarms) {
  for (const char* check : {"poller", "spinner", "timed_gate", "bounded", "with_static", "retry", "answers",
                            "single_producer", "locked_queue", "locked_map"}) {
    const Outcome outcome = small(std::string(check) + " --size 2x2 --tests 20");
    EXPECT_EQ(outcome.code, 0) << outcome.out;
  }
  const Outcome spurious = small("retry --size 2x2 --tests 10 --spurious 2");
  EXPECT_EQ(spurious.code, 0) << spurious.out;
}

TEST_F(LineUp, StuckIsStuckAlthoughIdleThreadsHaveCallsLeft) {
  EXPECT_EQ(small("forgotten_notify --matrix 'wait | set'").code, 1);
  EXPECT_EQ(small("forgotten_notify --matrix 'wait | set, force'").code, 1);
}

TEST_F(LineUp, WhatMustHoldAtRestIsLookedAt) {
  const Outcome outcome = small("broken_at_rest --matrix 'increment | increment'");
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_TRUE(says(outcome, "\"fewer than two\" does not hold")) << outcome.out;
}

TEST_F(LineUp, AModelJudgesInsteadOfPhaseOne) {
  EXPECT_EQ(small("modelled_queue --size 2x2 --tests 30").code, 0);
  EXPECT_EQ(small("modelled_account --size 2x2").code, 0);
  const Outcome stack = small("modelled_stack --matrix 'push(1), push(2), try_pop'");
  EXPECT_EQ(stack.code, 1) << stack.out;
  EXPECT_TRUE(says(stack, "A's try_pop() returned 2; in every serial order it returns 1.")) << stack.out;
  const Outcome sparing = small("modelled_sparing_queue --matrix 'pop | pop | push(1), push(2)'");
  EXPECT_EQ(sparing.code, 1) << sparing.out;
  EXPECT_TRUE(says(sparing, "pop() never returns")) << sparing.out;
  EXPECT_EQ(small("modelled_queue --matrix 'pop | pop | push(1), push(2)'").code, 0);
}

TEST_F(LineUp, WithAModelLargeTestsAreSampled) {
  // 5 x 8 has far too many serial orders to enumerate. A random walk meets the lost wake-up in most tests.
  EXPECT_EQ(small("locked_queue --size 5x8 --tests 1").code, 2);
  const std::string options = " --size 5x8 --tests 3 --executions 300 --minimise 0 --strategy ";
  for (const char* strategy : {"random", "pct", "pos"}) {
    const Outcome correct = small("modelled_queue" + options + strategy);
    EXPECT_EQ(correct.code, 0) << correct.out;
    EXPECT_EQ(small("modelled_sparing_queue" + options + strategy).code, 1) << strategy;
  }
  EXPECT_EQ(small("modelled_queue --require-exhausted" + options + "random").code, 3);
}

TEST_F(LineUp, AnOperationMayUseSeveralObjects) {
  EXPECT_EQ(small("careful_transfer --size 2x2").code, 0);
  const Outcome careless = small("careless_transfer --matrix 'transfer(1) | sum'");
  EXPECT_EQ(careless.code, 1) << careless.out;
  EXPECT_TRUE(says(careless, "sum() returned 2; in every serial order it returns 3.")) << careless.out;
}

TEST_F(LineUp, BadInputIsAClearError) {
  EXPECT_TRUE(says(lineup("counter --matrix 'nonsense | inc'"), "has no invocation 'nonsense'"));
  EXPECT_EQ(lineup("counter --matrix ' | '").code, 2);
  EXPECT_EQ(lineup("counter --size 0x3").code, 2);
  const Outcome large = lineup("counter1 --size 5x5 --tests 1");
  EXPECT_EQ(large.code, 2);
  EXPECT_TRUE(says(large, "serial orders")) << large.out;
}

TEST_F(LineUp, Lemma8AFailingTestFailsWhenItIsExtended) {
  // m fails at bound 1, so an extension of k columns fails at 1 + k.
  Rng rng(1);
  const std::string calls[] = {"inc", "get"};
  for (int round = 0; round < cases(4, 60); ++round) {
    std::string columns[] = {"inc, get", "inc"};
    unsigned extended = 0;
    for (std::string& column : columns) {
      const std::uint64_t more = rng.below(3);
      extended += more > 0;
      for (std::uint64_t i = 0; i < more; ++i) column += ", " + calls[rng.below(2)];
    }
    const Outcome outcome = lineup("counter1 --minimise 0 --bound " + std::to_string(1 + extended) + " --matrix '" +
                                   columns[0] + " | " + columns[1] + "'");
    EXPECT_EQ(outcome.code, 1) << columns[0] << " | " << columns[1];
  }
}

}  // namespace
}  // namespace muster::test
