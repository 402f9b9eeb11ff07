#include "division/divide.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/error.hpp"

namespace muster {
namespace {

/// Two threads are enabled everywhere. The root has begun thread 0, and 1 is wanted; below it two nodes have something
/// left, and one has nothing.
const std::string begun_search =
    "muster-checkpoint: 2\nbuild: 1\nlibraries: 2\nsettings: bound 9\nsubject: queue\n"
    "racy: program+0x12\nmade: executions 100\nmade: complete 60\nis_begun: 1\nbound: 9\ncut_by_preemptions: 0\n"
    "node: 4294967295 0 0 0 3 0 3 0 50 1 0 0 1 10 8 1 00001 1 0.0.0.2.2.0 0 0\n"
    "node: 0 0 0 0 3 0 3 0 30 1 0 0 everything 2 0.0.0.2.2.0 0 0 0.0.0.2.2.0 1 0\n"
    "node: 1 0 0 0 3 0 1 0 5 1 0 0 everything 3 0.0.0.2.2.0 0 0 0.0.0.2.2.0 1 0 0.0.0.2.2.0 2 0\n"
    "node: 2 0 0 0 3 0 2 0 10 1 0 0 everything 4 0.0.0.2.2.0 0 0 0.0.0.2.2.0 1 0 0.0.0.2.2.0 2 0 0.0.0.2.2.0 3 0\n";

CheckpointText whole() { return parse_checkpoint(begun_search, "c"); }

std::size_t pieces(const std::vector<CheckpointText>& parts) {
  return std::accumulate(parts.begin(), parts.end(), std::size_t{0},
                         [](std::size_t sum, const CheckpointText& part) { return sum + part.pieces_left(); });
}

std::uint64_t count(const BegunText& search, const std::string& name) {
  for (const auto& [word, number] : search.counts) {
    if (word == name) return number;
  }
  return 0;
}

TEST(Divide, ACheckpointIsReadAndWrittenAlike) {
  EXPECT_EQ(to_text(parse_checkpoint(to_text(whole()), "again")), to_text(whole()));
  EXPECT_EQ(whole().pieces_left(), 3u);
}

TEST(Divide, WhatIsLeftIsInOnePartEach) {
  for (const unsigned count : {1u, 2u, 3u, 10u}) {
    const auto parts = divide(whole(), count);
    EXPECT_EQ(parts.size(), std::min(count, 3u));
    EXPECT_EQ(pieces(parts), 3u);
    for (const CheckpointText& part : parts) EXPECT_GT(part.pieces_left(), 0u);
  }
}

TEST(Divide, WhatWasCountedIsInTheFirstPartAlone) {
  const auto parts = divide(whole(), 3);
  EXPECT_EQ(count(parts[0].begun[0], "executions"), 100u);
  EXPECT_EQ(count(parts[1].begun[0], "executions"), 0u);
}

TEST(Divide, ANodeIsSeenToByWhoeverHasAllBelowIt) {
  const auto parts = divide(whole(), 3);
  EXPECT_EQ(parts[2].begun[0].nodes.size(), 4u);  // with those above it
  std::vector<bool> elsewhere;
  for (const NodeText& node : parts[2].begun[0].nodes) elsewhere.push_back(node.elsewhere);
  EXPECT_EQ(elsewhere, (std::vector<bool>{true, true, false, false}));
}

TEST(Divide, TestsThatNobodyHasBegunAreInOnePartEach) {
  CheckpointText tests = parse_checkpoint(
      "muster-checkpoint: 2\nbuild: 1\nlibraries: 2\nsettings: s\nsubject: queue\ntests: 0 10\nknown: 30\n"
      "done: executions 7\n",
      "c");
  const auto parts = divide(tests, 4);
  std::vector<std::uint64_t> all;
  for (const CheckpointText& part : parts) {
    for (const std::uint64_t test : part.tests_left()) all.push_back(test);
  }
  std::vector<std::uint64_t> expected(20);
  std::iota(expected.begin(), expected.end(), 10);
  EXPECT_EQ(all, expected);
}

TEST(Join, PartsThatWereNotRunAreMissingAndNothingIsLost) {
  auto parts = divide(whole(), 3);
  parts[1].outcome = "done";
  const Joined joined = join(parts);
  EXPECT_EQ(joined.missing, (std::vector<unsigned>{1, 3}));
  EXPECT_TRUE(joined.all_given);
  EXPECT_EQ(joined.rest.pieces_left(), 3u);
  EXPECT_EQ(joined.rest.begun[0].nodes.size(), 4u);
  parts.erase(parts.begin());
  EXPECT_FALSE(join(parts).all_given);
}

TEST(Join, WhatAPartWantsAboveItIsLeftUnlessItWasDone) {
  auto parts = divide(whole(), 3);
  for (CheckpointText& part : parts) {
    part.outcome = "done";
    for (NodeText& node : part.begun[0].nodes) {
      if (!node.elsewhere && node.open() != 0) node.started.push_back({1, 0, "0"});
    }
  }
  EXPECT_EQ(join(parts).rest.pieces_left(), 0u);
  EXPECT_TRUE(join(parts).rest.begun[0].nodes.empty());
  parts[2].begun[0].nodes[1].enabled = 7;
  parts[2].begun[0].nodes[1].to_explore |= 4;
  EXPECT_EQ(join(parts).rest.pieces_left(), 1u);
}

TEST(Join, CountsAreAddedUp) {
  auto parts = divide(whole(), 3);
  for (CheckpointText& part : parts) part.begun[0].counts[0].second += 5;
  EXPECT_EQ(count(join(parts).rest.begun[0], "executions"), 115u);
}

TEST(Join, WhatOnePartLearnedBeginsTheSearchAgain) {
  auto parts = divide(whole(), 2);
  parts[1].begun[0].facts.push_back("program+0x99");
  parts[1].outcome = "learned";
  const Joined joined = join(parts);
  ASSERT_EQ(joined.learned.size(), 1u);
  EXPECT_EQ(joined.learned[0].what, "program+0x99");
  EXPECT_EQ(joined.learned[0].parts, std::vector<unsigned>{2});
  EXPECT_FALSE(joined.rest.begun[0].begun());
  EXPECT_EQ(joined.rest.begun[0].facts.size(), 2u);
  EXPECT_EQ(joined.rest.pieces_left(), 0u);
}

TEST(Join, PartsOfSeveralSearchesAreRefused) {
  auto parts = divide(whole(), 3);
  parts[1].division = "other";
  EXPECT_THROW(join(parts), Error);
  parts = divide(whole(), 3);
  parts.push_back(parts[0]);
  EXPECT_THROW(join(parts), Error);
  parts = divide(whole(), 3);
  parts[1].libraries = "other";
  EXPECT_THROW(join(parts), Error);
}

TEST(Join, AFileThatWasChangedIsRefused) {
  for (const char* text : {"", "muster-checkpoint: 1\n", "muster-checkpoint: 2\nnode: 1 2 3\n",
                           "muster-checkpoint: 2\nNOT THIS: 3\n", "muster-checkpoint: 2\nno colon\n"}) {
    EXPECT_THROW(parse_checkpoint(text, "file"), Error) << text;
  }
}

}  // namespace
}  // namespace muster
