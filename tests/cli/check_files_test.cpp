// `muster check` on several files at once, and the files that it writes.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "cli/check_command.hpp"

namespace muster {
namespace {

using test::check;
using test::Outcome;
using test::says;
using test::TemporaryFolder;

std::string content(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// One history for each exit code.
struct Files {
  TemporaryFolder folder;
  std::string passing = folder.file("passing.log", "# queue\nenq 1 1 2\ndeq 1 3 4\n");
  std::string failing = folder.file("failing.log", "# queue\nenq 1 1 2\ndeq 2 3 4\n");
  std::string damaged = folder.file("damaged.log", "# queue\nenq 1 1 2\ndeq 1 3 x\n");
  std::string unknown = folder.file("unknown.log", "# queue\nfly 1 1 2\n");
  std::string hard = folder.file("hard.log", hard_history());

  static std::string hard_history() {
    std::string out = "# deque\n";
    for (int i = 0; i < 24; ++i) out += "push_back " + std::to_string(i) + " 0 100\n";
    out += "push_back 99 101 102\npop_front 99 103 104\n";
    return out;
  }
};

TEST(CheckFiles, EveryFileIsJudgedAndTheWorstCodeIsGiven) {
  const Files files;
  const std::string limit = "--time 50ms ";
  EXPECT_EQ(check(limit + files.passing + " " + files.passing).code, 0);
  EXPECT_EQ(check(limit + files.hard + " " + files.passing).code, 3);
  EXPECT_EQ(check(limit + files.damaged + " " + files.hard + " " + files.passing).code, 2);
  EXPECT_EQ(check(limit + files.hard + " " + files.damaged).code, 2);
  const Outcome all =
      check(limit + files.damaged + " " + files.hard + " " + files.failing + " " + files.unknown + " " + files.passing);
  EXPECT_EQ(all.code, 1) << all.out;
  EXPECT_TRUE(says(all, "damaged.log:3: `x` is not a time")) << all.out;
  EXPECT_TRUE(says(all, "undecided: time limit")) << all.out;
  EXPECT_TRUE(says(all, "NOT LINEARIZABLE")) << all.out;
  EXPECT_TRUE(says(all, "unknown.log:2: queue has no operation `fly`")) << all.out;
  EXPECT_TRUE(says(all, "queue: linearizable")) << all.out;
}

TEST(CheckFiles, ObjectsThatMeetAreAllJudged) {
  TemporaryFolder folder;
  const std::string good = folder.file("good.txt", "A: send(3)\nB: receive()\nA: ->\nB: -> 3\n");
  const std::string apart = folder.file("apart.txt", "A: send(3) ->\nB: receive() -> 3\n");
  const std::string unknown = folder.file("unknown.txt", "A: fly()\n");
  const std::string channel = "--format text --spec channel ";
  EXPECT_EQ(check(channel + unknown + " " + good).code, 2);
  const Outcome all = check(channel + unknown + " " + good + " " + apart);
  EXPECT_EQ(all.code, 1) << all.out;
  EXPECT_TRUE(says(all, "unknown.txt:1: channel has no operation `fly`")) << all.out;
  EXPECT_TRUE(says(all, "channel: synchronisation-linearizable")) << all.out;
}

TEST(CheckFiles, ReportsTellWhatCouldNotBeJudged) {
  const Files files;
  const std::string json = files.folder.path("report.json"), junit = files.folder.path("report.xml");
  EXPECT_EQ(check("--json " + json + " --junit " + junit + " " + files.damaged + " " + files.failing).code, 1);
  EXPECT_NE(content(json).find("`x` is not a time"), std::string::npos);
  EXPECT_NE(content(json).find("not-linearizable"), std::string::npos);
  EXPECT_NE(content(junit).find("tests=\"2\" failures=\"1\" errors=\"1\""), std::string::npos) << content(junit);
}

TEST(CheckFiles, MergingLosesNoReportToADamagedOne) {
  const Files files;
  const std::string failed = files.folder.path("1.json"), passed = files.folder.path("2.json");
  const std::string damaged = files.folder.file("3.json", "{");
  EXPECT_EQ(check("--json " + failed + " " + files.failing).code, 1);
  EXPECT_EQ(check("--json " + passed + " " + files.passing).code, 0);
  const auto merged = [](const std::string& arguments) {
    return test::run(std::string(MUSTER_COMMAND) + " merge " + arguments);
  };
  EXPECT_EQ(merged(damaged + " " + passed).code, 2);
  const Outcome all = merged(damaged + " " + failed + " " + passed);
  EXPECT_EQ(all.code, 1) << all.out;
  EXPECT_TRUE(says(all, "3.json: no JSON") && says(all, "failing.log")) << all.out;
  EXPECT_EQ(merged(damaged).code, 2);
  EXPECT_EQ(merged(passed + " --html /nowhere/at/all").code, 2);
}

TEST(CheckFiles, WhatIsWrongWithAnOptionIsSaidOnceBeforeAnyFileIsRead) {
  const Files files;
  for (const std::string flags :
       {"--spec teapot", "--time soon", "--skew never", "--map nonsense", "--format none", "--initial '[1'",
        "--memory much", "--spec counter --initial x", "--spec barrier", "--property sequential --write-core x",
        "--property sequential --quasi 1", "--quasi 1 --write-core x", "--spec channel --skew 1ms",
        "--spec channel --quasi 1", "--spec channel --write-core x", "--spec channel --property sequential"}) {
    const Outcome outcome = check(flags + " " + files.failing + " " + files.failing);
    EXPECT_EQ(outcome.code, 2) << flags;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
  }
}

TEST(CheckFiles, OutputThatCannotBeWrittenIsAnErrorBeforeAnythingIsJudged) {
  const Files files;
  for (const std::string flag : {"--html", "--json", "--junit", "--sarif", "--write-core"}) {
    const Outcome outcome = check(flag + " /nowhere/at/all " + files.failing);
    EXPECT_EQ(outcome.code, 2) << flag;
    EXPECT_EQ(outcome.out, "muster: /nowhere/at/all: cannot be written: No such file or directory\n") << flag;
  }
}

TEST(CheckFiles, AFailureIsNotLostWhereItsReportIs) {
  const Files files;
  const Outcome outcome = check("--json /dev/full " + files.failing);
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_TRUE(says(outcome, "/dev/full: cannot be written")) << outcome.out;
  EXPECT_EQ(check("--json /dev/full " + files.passing).code, 2);
}

TEST(CheckFiles, OutputStaysAsItIsUntilItIsWritten) {
  const Files files;
  const std::string report = files.folder.file("report.json", "an old one"), core = files.folder.path("core.jsonl");
  EXPECT_EQ(check("--json " + report + " --html /nowhere/at/all " + files.failing).code, 2);
  EXPECT_EQ(content(report), "an old one");
  EXPECT_EQ(check("--json " + report + " " + files.passing).code, 0);
  EXPECT_EQ(content(report).front(), '{');
  // Nothing is left of a file in which nothing had to be written.
  EXPECT_EQ(check("--write-core " + core + " " + files.passing).code, 0);
  EXPECT_FALSE(std::filesystem::exists(core));
  // A history may be replaced by its core.
  const std::string self =
      files.folder.file("self.jsonl",
                        "{\"object\":\"queue\"}\n{\"op\":\"enqueue\",\"args\":[1],\"start\":1,\"end\":2}\n"
                        "{\"op\":\"dequeue\",\"result\":2,\"start\":3,\"end\":4}\n");
  EXPECT_EQ(check("--write-core " + self + " " + self).code, 1);
  EXPECT_EQ(content(self).find("enqueue"), std::string::npos) << content(self);
  EXPECT_EQ(check(self).code, 1);
}

TEST(CheckFiles, TheCoreIsThatOfTheFirstFailure) {
  const Files files;
  const std::string other = files.folder.file("other.log", "# stack\npush 1 1 2\npop 5 3 4\n");
  const std::string core = files.folder.path("core.jsonl");
  EXPECT_EQ(check("--write-core " + core + " " + files.failing + " " + other).code, 1);
  EXPECT_NE(content(core).find("\"queue\""), std::string::npos) << content(core);
}

}  // namespace
}  // namespace muster
