// `muster check` on logs of objects whose operations meet.

#include <gtest/gtest.h>

#include "support/command.hpp"

namespace muster {
namespace {

test::Outcome check_text(const std::string& arguments) {
  return test::run(std::string(MUSTER_COMMAND) + " check --format text " + arguments);
}

TEST(CheckSynchronisation, AChannelLog) {
  test::TemporaryFolder folder;
  const std::string good = folder.file("good.txt", "A: send(3)\nB: receive()\nA: ->\nB: -> 3\n");
  EXPECT_EQ(check_text("--spec channel " + good).out,
            good + ": 2 operations, 2 processes\n  channel: synchronisation-linearizable\n");
  EXPECT_NE(check_text("--spec channel --explain " + good).out.find("    transfer\n      line"), std::string::npos);
  const std::string apart = folder.file("apart.txt", "A: send(3) ->\nB: receive() -> 3\n");
  const test::Outcome outcome = check_text("--spec channel " + apart);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("NOT SYNCHRONISATION-LINEARIZABLE"), std::string::npos) << outcome.out;
}

TEST(CheckSynchronisation, WhatIsStuckIsJudgedForProgressOnRequest) {
  test::TemporaryFolder folder;
  const std::string waiting = folder.file("waiting.txt", "A: send(3)\nB: receive()\n");
  EXPECT_EQ(check_text("--spec channel " + waiting).code, 0);
  const test::Outcome outcome = check_text("--spec channel --stuck " + waiting);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("NO PROGRESS"), std::string::npos) << outcome.out;
}

TEST(CheckSynchronisation, BadInputIsExitCodeTwo) {
  test::TemporaryFolder folder;
  const std::string unknown = folder.file("unknown.txt", "A: send(3)\nB: peek()\n");
  const test::Outcome outcome = check_text("--spec channel " + unknown);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.out.find("unknown.txt:2: channel has no operation `peek`; it has send, receive"), std::string::npos)
      << outcome.out;
  const std::string barrier = folder.file("barrier.txt", "A: sync()\nB: sync()\nA: ->\nB: ->\n");
  EXPECT_EQ(check_text("--spec barrier " + barrier).code, 2);
  EXPECT_EQ(check_text("--spec barrier --participants 2 " + barrier).code, 0);
  EXPECT_EQ(check_text("--spec barrier --participants 3 " + barrier).code, 1);
}

}  // namespace
}  // namespace muster
