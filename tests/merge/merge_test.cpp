#include "merge/merge.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "finding/json.hpp"
#include "merge/read_report.hpp"
#include "support/sample_report.hpp"

namespace muster {
namespace {

Report shard(unsigned number, unsigned count, std::uint64_t executions) {
  Report report;
  report.program = "./p";
  report.shards = {number};
  report.shard_count = count;
  Result& result = report.results.emplace_back();
  result.subject = "queue";
  result.source = SubjectKind::check;
  result.coverage.executions = executions;
  result.coverage.exhausted = true;
  return report;
}

std::string refusal(const std::string& text) {
  try {
    parse_report(text, "r.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ReadReport, GivesBackWhatWasWritten) {
  Report report = test::sample_report();
  report.results[1].findings[0].sentence = "bytes that are no text change on the way";
  EXPECT_EQ(parse_report(to_json(report), "r.json"), report);
  EXPECT_EQ(parse_report(to_json(report, JsonLayout::compact), "r.json"), report);
}

TEST(ReadReport, SaysWhereADocumentIsWrong) {
  EXPECT_EQ(refusal("{"), "r.json: no JSON: " + refusal("{").substr(17));
  EXPECT_NE(refusal("[]").find("no report of Muster"), std::string::npos);
  EXPECT_NE(refusal(R"({"format":"muster-report","version":3,"results":[]})").find("version 3"), std::string::npos);
  EXPECT_EQ(refusal(R"({"format":"muster-report","version":1,"results":[{"subject":3}]})"),
            "r.json: /results/0/subject is not a text");
  EXPECT_EQ(refusal(R"({"format":"muster-report","version":1})"), "r.json: the document has no member `results`");
  EXPECT_NE(
      refusal(
          R"({"format":"muster-report","version":1,"results":[{"subject":"x","source":"log","outcome":"passed","findings":[],"coverage":{},
                       "timeline":{"operations":[],"attempts":[{"order":[4]}]}}]})")
          .find("refers to operation 4"),
      std::string::npos);
}

TEST(ReadReport, SaysWhichWordIsUnknown) {
  const auto wrong = [](const std::string& source, const std::string& outcome, const std::string& finding) {
    return refusal(R"({"format":"muster-report","version":2,"results":[{"subject":"x","source":")" + source +
                   R"(","outcome":")" + outcome + R"(","coverage":{},"findings":[{"subject":"x","sentence":"y",)" +
                   finding + R"(,"proven":true}]}]})");
  };
  EXPECT_EQ(wrong("log", "failed", R"("kind":"race")"), "accepted");
  EXPECT_EQ(wrong("file", "failed", R"("kind":"race")"),
            "r.json: /results/0/source is not scenario, check, log, trace or merge");
  EXPECT_EQ(wrong("log", "lost", R"("kind":"race")"),
            "r.json: /results/0/outcome is not passed, failed, undecided or no-finding");
  EXPECT_EQ(wrong("log", "failed", R"("kind":"data-race")"),
            "r.json: /results/0/findings/0/kind is not a kind of finding that this program knows");
  EXPECT_EQ(wrong("log", "failed", R"("kind":"race","grade":"sure")"),
            "r.json: /results/0/findings/0/grade is not certified, feasible or unscheduled");
}

TEST(ReadReport, WhatVersion1CalledPassedIsOneOnlyIfAllWasCovered) {
  const auto outcome = [](const std::string& source, const std::string& coverage) {
    const std::string result = R"("subject":"x","outcome":"passed","findings":[],"source":")" + source + "\"";
    const std::string results = "[{" + result + R"(,"coverage":{"executions":9,)" + coverage + "}}]";
    return parse_report(R"({"format":"muster-report","version":1,"results":)" + results + "}", "r.json")
        .results[0]
        .outcome;
  };
  EXPECT_EQ(outcome("check", R"("strategy":"dfs","exhausted":true)"), Outcome::passed);
  EXPECT_EQ(outcome("check", R"("strategy":"dfs")"), Outcome::no_finding);
  EXPECT_EQ(outcome("scenario", R"("strategy":"random","exhausted":true)"), Outcome::no_finding);
  EXPECT_EQ(outcome("scenario", R"("strategy":"stress")"), Outcome::no_finding);
  EXPECT_EQ(outcome("scenario", R"("strategy":"replay")"), Outcome::passed);
  EXPECT_EQ(outcome("log", R"("strategy":"")"), Outcome::passed);
}

TEST(Merge, AddsUpWhatShardsCovered) {
  const Report whole = merge({shard(2, 2, 10), shard(1, 2, 5)});
  ASSERT_EQ(whole.results.size(), 1u);
  EXPECT_EQ(whole.results[0].coverage.executions, 15u);
  EXPECT_EQ(whole.results[0].outcome, Outcome::passed);
  EXPECT_EQ(whole.shards, (std::vector<unsigned>{1, 2}));
}

TEST(Merge, WhatIsLeftOfShardsThatEndedEarlyIsAddedUp) {
  Report a = shard(1, 2, 10), b = shard(2, 2, 5);
  for (Report* part : {&a, &b}) part->results[0].coverage.exhausted = false;
  a.results[0].coverage.executions_left = 1000;
  b.results[0].coverage.executions_left = 200;
  const Report read = parse_report(to_json(merge({a, b})), "r.json");
  EXPECT_EQ(read.results[0].coverage.executions_left, 1200u);
  EXPECT_FALSE(read.results[0].coverage.exhausted);
}

TEST(Merge, APartThatABudgetEndedIsNoPass) {
  Report late = shard(2, 2, 5);
  late.results[0].coverage.exhausted = false;
  late.results[0].outcome = Outcome::no_finding;
  late.results[0].stopped = stopped_by_budget;
  for (const auto& parts : {std::vector{shard(1, 2, 10), late}, std::vector{late, shard(1, 2, 10)}}) {
    const Report whole = merge(parts);
    EXPECT_EQ(whole.results[0].outcome, Outcome::no_finding);
    EXPECT_EQ(whole.results[0].stopped, stopped_by_budget);
    EXPECT_EQ(exit_code(worst_outcome(whole)), ExitCode::no_finding);
  }
}

TEST(Merge, AShardThatNothingFellToTakesNothingAway) {
  Report idle = shard(2, 2, 0);
  idle.results[0].outcome = Outcome::no_finding;
  idle.results[0].stopped = "no test fell to shard 2 of 2";
  Report busy = shard(1, 2, 10);
  busy.results[0].coverage.part = "shard 1 of 2";
  busy.results[0].coverage.strategy = "dfs";
  for (const auto& parts : {std::vector{busy, idle}, std::vector{idle, busy}}) {
    const Result whole = merge(parts).results[0];
    EXPECT_EQ(whole.outcome, Outcome::passed);
    EXPECT_EQ(whole.stopped + whole.coverage.part, "");
    EXPECT_EQ(whole.coverage.executions, 10u);
  }
}

TEST(Merge, AFindingOfTwoShardsIsToldOnce) {
  Report a = shard(1, 2, 1), b = shard(2, 2, 1);
  for (Report* part : {&a, &b}) {
    part->results[0].findings = {test::sample_failure()};
    part->results[0].outcome = Outcome::failed;
  }
  const Report whole = merge({a, b});
  EXPECT_EQ(whole.results[0].findings.size(), 1u);
  EXPECT_EQ(worst_outcome(whole), Outcome::failed);
}

TEST(Merge, AMissingShardIsNoPass) {
  const Report whole = merge({shard(1, 3, 1), shard(3, 3, 1)});
  EXPECT_EQ(worst_outcome(whole), Outcome::undecided);
  EXPECT_NE(whole.results.back().summary.find("shard 2 of 3"), std::string::npos);
}

TEST(Merge, RefusesWhatIsNotOneRun) {
  EXPECT_THROW(merge({shard(1, 2, 1), shard(1, 2, 1)}), Error);
  EXPECT_THROW(merge({shard(1, 2, 1), shard(2, 3, 1)}), Error);
  Report others = shard(2, 2, 1);
  others.results[0].coverage.tests = "100 random tests of 3×3, seed 7";
  EXPECT_THROW(merge({shard(1, 2, 1), others}), Error);
  others = shard(2, 2, 1);
  others.results[0].coverage.preemptions = 1;
  EXPECT_THROW(merge({shard(1, 2, 1), others}), Error);
  others.results[0].outcome = Outcome::failed;
  EXPECT_EQ(merge({shard(1, 2, 1), others}).results[0].outcome, Outcome::failed);
}

}  // namespace
}  // namespace muster
