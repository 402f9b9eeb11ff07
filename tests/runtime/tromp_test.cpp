// Tromp's atomic bit under the controlled scheduler (tests/subjects/register), and the two simplifications that break
// it.

#include <gtest/gtest.h>

#include "support/command.hpp"
#include "support/property.hpp"

namespace muster {
namespace {

test::Outcome run_scenario(const std::string& name, const std::string& flags) {
  const test::TemporaryFolder folder;
  return test::run(std::string(MUSTER_SUBJECTS) + "/subjects_register " + name + " " + flags + " --folder " +
                   folder.path("saved"));
}

TEST(Tromp, IsAtomicUnderEverySchedule) {
  for (const char* scenario : {"tromp_1_1", "tromp_1_2"}) {
    const auto outcome = run_scenario(scenario, "--strategy dfs --bound unbounded");
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_NE(outcome.out.find("all schedules"), std::string::npos) << outcome.out;
  }
  EXPECT_EQ(run_scenario("tromp_3_3", "--strategy dfs --bound 4").code, 0);
  if (!test::full_run()) return;
  const auto outcome = run_scenario("tromp_2_2", "--strategy dfs --bound unbounded");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_NE(outcome.out.find("20,644,047 executions"), std::string::npos) << outcome.out;
}

TEST(Tromp, IsAtomicInEveryClassOfSchedules) {
  const auto outcome = run_scenario("tromp_2_2", "--strategy dpor --bound unbounded");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_NE(outcome.out.find("all schedules"), std::string::npos) << outcome.out;
}

TEST(Tromp, IsNotAtomicWithoutTheConditionOfLine3) {
  const auto outcome = run_scenario("without_line_3", "--bound 5");
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_NE(outcome.out.find("FAIL without_line_3: requirement not met"), std::string::npos) << outcome.out;
  // As in Figure 6, a read gives the old value after another gave the new one.
  EXPECT_NE(outcome.out.find("r=0)"), std::string::npos) << outcome.out;
}

TEST(Tromp, StaysRegularWithoutTheConditionOfLine3) {
  EXPECT_EQ(run_scenario("without_line_3_regular", "--bound 4").code, 0);
  EXPECT_EQ(run_scenario("without_line_3_regular_2_2", "--strategy dpor --bound unbounded").code, 0);
}

TEST(Tromp, IsNotAtomicWithoutLine6) { EXPECT_EQ(run_scenario("without_line_6", "--bound 5").code, 1); }

}  // namespace
}  // namespace muster
