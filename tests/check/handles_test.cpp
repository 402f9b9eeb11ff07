// Handles, through the programs a user would run: who holds what is seen in every mode, and values that come again are
// nothing to object to.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "support/command.hpp"

namespace muster::test {
namespace {

class HandlesOfChecks : public ::testing::Test {
 protected:
  Outcome checks(const std::string& arguments) {
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

constexpr const char* right = "pool gate nodes recycler entries leases pool_of_cells ";
constexpr const char* wrong[] = {"careless_pool ", "hasty_entries ", "careless_leases ", "careless_pool_of_cells "};

TEST_F(HandlesOfChecks, WhatIsRightPasses) {
  for (const char* mode : {"--size 2x3 --tests 40", "--size 3x2 --tests 20 --unbounded",
                           "--size 2x3 --unbounded --symmetry threads --tests 20", "--heap reuse --size 2x3 --tests 20",
                           "--heap shared-reuse --size 2x3 --tests 6", "--strategy pct --executions 100 --tests 10",
                           "--stress --tests 20 --runs 50"}) {
    const Outcome outcome = checks(std::string(right) + mode);
    EXPECT_EQ(outcome.code, 0) << mode << "\n" << outcome.out;
    EXPECT_FALSE(says(outcome, "FAIL")) << mode << "\n" << outcome.out;
  }
}

TEST_F(HandlesOfChecks, TwoOwnersOfOneThingAreSeen) {
  for (const char* check : wrong) {
    for (const char* mode : {"--size 2x2", "--size 2x2 --unbounded", "--strategy random --size 2x2"}) {
      const Outcome outcome = checks(check + std::string(mode));
      EXPECT_EQ(outcome.code, 1) << check << mode << "\n" << outcome.out;
      EXPECT_TRUE(says(outcome, "serial order")) << outcome.out;
      EXPECT_FALSE(says(outcome, "0x")) << "a handle prints as an address\n" << outcome.out;
    }
  }
  const Outcome pool = checks("careless_pool --strategy dfs --matrix 'acquire | acquire'");
  EXPECT_TRUE(says(pool, "acquire() returned slot#B1; in every serial order it returns slot#A1.")) << pool.out;
  const Outcome replayed = checks("--replay careless_pool-1");
  EXPECT_TRUE(says(replayed, "A       acquire() → slot#B1")) << replayed.out;
  EXPECT_TRUE(says(replayed, "B       acquire() → slot#B1")) << replayed.out;
  EXPECT_EQ(checks("--recheck careless_pool-1").code, 1);
  EXPECT_EQ(checks("yielding_pool --stress --runs 50000 --matrix 'acquire, acquire | acquire, acquire'").code, 1);
}

TEST_F(HandlesOfChecks, WhereNothingTellsThemApartEachIsAnotherOne) {
  EXPECT_EQ(checks("careless_unknown_leases --size 2x2").code, 0);
}

TEST_F(HandlesOfChecks, FalseIsNoHandle) {
  const std::string record = folder_.path("gate.xml");
  ASSERT_EQ(
      checks("gate --matrix 'try_enter, try_enter, leave(A2), leave(A1), try_enter' --observations " + record).code, 0);
  const std::string text = content(record);
  for (const char* part : {"name=\"try_enter\">result=\"in#A1\"", "name=\"try_enter\">result=\"nothing\"",
                           "name=\"leave\">value=\"in#A2\" result=\"skipped\"", "name=\"leave\">value=\"in#A1\"<",
                           "name=\"try_enter\">result=\"in#A5\""})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST_F(HandlesOfChecks, RecordsSayWhichAreTheSame) {
  const std::string matrix = " --matrix 'find(\"k\"), find(\"k\") | find(\"k\")'", record = folder_.path("entries.xml");
  ASSERT_EQ(checks("entries" + matrix + " --observations " + record).code, 0);
  EXPECT_EQ(checks("entries --against " + record).code, 0);
  const Outcome hasty = checks("hasty_entries --against " + record);
  EXPECT_EQ(hasty.code, 1) << hasty.out;
  std::string old = content(record);
  const std::string_view by_value = " handles=\"by value\"";
  ASSERT_NE(old.find(by_value), std::string::npos) << old;
  old.erase(old.find(by_value), by_value.size());
  const Outcome refused = checks("entries --against " + folder_.file("old.xml", old));
  EXPECT_EQ(refused.code, 2) << refused.out;
  EXPECT_TRUE(says(refused, "record it again")) << refused.out;
}

}  // namespace
}  // namespace muster::test
