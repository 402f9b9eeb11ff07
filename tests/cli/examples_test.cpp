// The examples that the documentation quotes are built and run.

#include <gtest/gtest.h>

#include "support/command.hpp"

namespace muster {
namespace {

const std::string examples = MUSTER_SOURCE_DIR "/examples";

TEST(Examples, AHistoryRecordedInCppPasses) {
  test::TemporaryFolder folder;
  const std::string program = folder.path("record"), log = folder.path("queue.jsonl");
  const auto built = test::run("c++ -std=c++20 -pthread -I " MUSTER_SOURCE_DIR "/include " + examples +
                               "/record/record.cpp -o " + program);
  ASSERT_EQ(built.code, 0) << built.out;
  ASSERT_EQ(test::run(program + " " + log).code, 0);
  const auto outcome = test::run(MUSTER_COMMAND " check " + log);
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_NE(outcome.out.find("2,000 operations, 4 processes"), std::string::npos) << outcome.out;
}

TEST(Examples, AHistoryRecordedInPythonPasses) {
  if (test::run("python3 --version").code != 0) GTEST_SKIP() << "no python3 here";
  test::TemporaryFolder folder;
  const std::string log = folder.path("queue.jsonl");
  const auto ran = test::run("python3 " + examples + "/record/record.py " + log);
  ASSERT_EQ(ran.code, 0) << ran.out;
  const auto outcome = test::run(MUSTER_COMMAND " check " + log);
  EXPECT_EQ(outcome.code, 0) << outcome.out;
}

TEST(Examples, AHistoryRecordedInGoPasses) {
  if (test::run("go version").code != 0) GTEST_SKIP() << "no go here";
  test::TemporaryFolder folder;
  const std::string log = folder.path("queue.jsonl");
  const auto ran = test::run("go run " + examples + "/record/record.go " + log);
  ASSERT_EQ(ran.code, 0) << ran.out;
  EXPECT_EQ(test::run(MUSTER_COMMAND " check " + log).code, 0);
}

TEST(Examples, AModelOfOnesOwnJudges) {
  test::TemporaryFolder folder;
  const std::string library = folder.path("account.so");
  const auto built = test::run("c++ -std=c++20 -shared -fPIC -I " MUSTER_SOURCE_DIR "/include " + examples +
                               "/model/account.cpp -o " + library);
  ASSERT_EQ(built.code, 0) << built.out;
  const auto good = test::run(MUSTER_COMMAND " check --model " + library + " " + examples + "/model/good.txt");
  EXPECT_EQ(good.code, 0) << good.out;
  const auto bad = test::run(MUSTER_COMMAND " check --explain --model " + library + " " + examples + "/model/bad.txt");
  EXPECT_EQ(bad.code, 1) << bad.out;
  EXPECT_NE(bad.out.find("withdraw(70) -> true   <- has no place"), std::string::npos) << bad.out;
  EXPECT_EQ(test::run(MUSTER_COMMAND " check --model /nowhere.so " + examples + "/model/bad.txt").code, 2);
}

}  // namespace
}  // namespace muster
