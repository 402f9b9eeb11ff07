// Every kind of check on real threads: judged by what it does serially, by a model, by a relaxed object; invariants
// too.

#include <gtest/gtest.h>

#include "support/command.hpp"

namespace muster::test {
namespace {

Outcome small(const std::string& arguments) { return run(std::string(MUSTER_SMALL_CHECKS) + " --stress " + arguments); }
Outcome relaxed(const std::string& arguments) {
  return run(std::string(MUSTER_ROUNDUP_CHECKS) + " --stress " + arguments);
}

TEST(StressKinds, AModelJudges) {
  EXPECT_EQ(small("modelled_queue --size 3x2 --tests 5 --runs 20").code, 0);
  // Whatever the threads do: it is no queue even if called by one of them.
  const Outcome stack = small("modelled_stack --matrix 'push(1), push(2), try_pop' --runs 3");
  EXPECT_EQ(stack.code, 1) << stack.out;
  EXPECT_NE(stack.out.find("A's try_pop() returned 2; in every serial order it returns 1"), std::string::npos)
      << stack.out;
}

TEST(StressKinds, WhatAModelDoesNotBlockOnMustNotBeStuck) {
  const Outcome waiting = small("modelled_queue --matrix 'pop | push(1)' --matrix 'pop | pop | push(1)' --runs 50");
  EXPECT_EQ(waiting.code, 0) << waiting.out;
  // One of the two stays behind as soon as both wait before the first push: most runs show it.
  const Outcome stuck = small("modelled_late_sparing_queue --matrix 'pop | pop | push(1), push(2)' --runs 2000");
  EXPECT_EQ(stuck.code, 1) << stuck.out;
  EXPECT_NE(stuck.out.find("never returns"), std::string::npos) << stuck.out;
}

TEST(StressKinds, WhatAClassDoesSeriallyJudges) {
  EXPECT_EQ(small("seats --size 3x2 --tests 5 --runs 50").code, 0);
  EXPECT_EQ(small("broken_at_rest --runs 3").code, 1);
}

TEST(StressKinds, ARelaxedObjectJudges) {
  EXPECT_EQ(relaxed("quasi_queue --tests 10 --runs 20").code, 0);
  // Every other dequeue takes the fourth, which factor 2 does not allow: to miss it 200 times has a chance of 2^-200.
  const Outcome far =
      relaxed("quasi_queue_b1 --matrix 'enqueue(1), enqueue(2), enqueue(3), enqueue(4), dequeue' --runs 200");
  EXPECT_EQ(far.code, 1) << far.out;
}

/// A thread sanitizer has a thread of its own that never sleeps for long: what is stuck is known all the same.
TEST(StressKinds, ASanitizedBuildIsJudgedToo) {
  const Outcome outcome = run(std::string(MUSTER_SANITIZED_CHECKS) + " channel_fixed --runs 30");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_NE(outcome.out.find("NO FINDING channel_fixed"), std::string::npos) << outcome.out;
}

TEST(StressKinds, ChoicesFollowTheSeed) {
  const auto histories = [](const std::string& flags) {
    return relaxed("quasi_queue --matrix 'enqueue(1), enqueue(2), enqueue(3), dequeue' --runs 30 " + flags).out;
  };
  EXPECT_EQ(histories("").find(" 1 histories"), std::string::npos);
}

}  // namespace
}  // namespace muster::test
