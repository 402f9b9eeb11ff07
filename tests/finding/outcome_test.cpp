#include <gtest/gtest.h>

#include "finding/finding.hpp"

namespace muster {
namespace {

Result searched(bool exhausted) {
  Result result;
  result.coverage.executions = 7;
  result.coverage.exhausted = exhausted;
  return result;
}

TEST(Outcome, ASearchPassesOnlyIfAllWasCovered) {
  EXPECT_EQ(outcome_of(searched(true)), Outcome::passed);
  EXPECT_EQ(outcome_of(searched(false)), Outcome::no_finding);
  Result nothing = searched(true);
  nothing.coverage.executions = 0;
  EXPECT_EQ(outcome_of(nothing), Outcome::no_finding);
}

TEST(Outcome, OneProofIsAFailureWhateverElseIsOpen) {
  Result result = searched(true);
  result.findings.resize(2);
  result.findings[0].proven = result.findings[1].proven = false;
  EXPECT_EQ(outcome_of(result), Outcome::undecided);
  result.findings[1].proven = true;
  EXPECT_EQ(outcome_of(result), Outcome::failed);
}

TEST(Outcome, WhatSomebodyStoppedIsUndecidedAndWhatABudgetEndedIsNot) {
  EXPECT_EQ(not_run("x", SubjectKind::check, stopped_by_somebody).outcome, Outcome::undecided);
  EXPECT_EQ(not_run("x", SubjectKind::check, stopped_by_budget).outcome, Outcome::no_finding);
  Result failed = searched(false);
  failed.outcome = Outcome::failed;
  stop(failed, stopped_by_somebody);
  EXPECT_EQ(failed.outcome, Outcome::failed);
}

TEST(ExitCodes, AFindingIsWorseThanBadInputAndThatThanAnOpenQuestion) {
  const ExitCode from_worst[] = {ExitCode::finding, ExitCode::bad_input, ExitCode::undecided, ExitCode::no_finding};
  for (std::size_t i = 0; i < std::size(from_worst); ++i) {
    for (std::size_t j = i; j < std::size(from_worst); ++j) {
      EXPECT_EQ(worse(from_worst[i], from_worst[j]), from_worst[i]);
      EXPECT_EQ(worse(from_worst[j], from_worst[i]), from_worst[i]);
    }
  }
  EXPECT_EQ(exit_code(Outcome::no_finding), ExitCode::no_finding);
}

}  // namespace
}  // namespace muster
