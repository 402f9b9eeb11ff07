// What logs leave out: answers, operations, times; and what `muster check` makes of that.

#include <gtest/gtest.h>

#include "cli/check_command.hpp"

namespace muster {
namespace {

using test::check;
using test::Outcome;
using test::says;
using test::TemporaryFolder;

TEST(LogForms, AnAnswerThatWasNotRecordedIsAQuestionMark) {
  TemporaryFolder folder;
  const std::string queue = folder.file("q.jsonl",
                                        "{\"op\":\"enqueue\",\"args\":[1],\"start\":1,\"end\":2}\n"
                                        "{\"op\":\"dequeue\",\"start\":3,\"end\":4}\n"
                                        "{\"op\":\"dequeue\",\"start\":5}\n");
  const std::string page = folder.path("report.json");
  const Outcome shown = check("--spec queue --explain --json " + page + " " + queue);
  EXPECT_EQ(shown.code, 0);
  EXPECT_TRUE(says(shown, "enqueue(1) -> ok\n")) << shown.out;
  EXPECT_TRUE(says(shown, "dequeue() -> ?\n")) << shown.out;
  EXPECT_FALSE(says(shown, "dequeue()\n") || says(shown, "dequeue() -> ok")) << shown.out;
  EXPECT_TRUE(says(test::run("grep -c '\"answer\": *\"?\"' " + page), "1"));
  // Whatever comes back from a text form, too.
  const std::string text = folder.file("s.txt", "A: pop() -> ?\nA: push(1) -> ok\nA: pop() -> 2\n");
  EXPECT_TRUE(says(check("--spec stack --explain " + text), "pop() -> ?\n"));
  // What a lock answers is nothing.
  const std::string lock = folder.file("l.txt", "A: lock() -> ok\nA: unlock() ->\nA: try_lock() ->\n");
  const Outcome locked = check("--spec mutex --explain " + lock);
  EXPECT_TRUE(says(locked, "unlock() -> ok\n") && says(locked, "try_lock() -> ?\n")) << locked.out;
}

TEST(LogForms, AnUnrecordedAnswerOfObjectsThatMeetIsAQuestionMarkToo) {
  TemporaryFolder folder;
  const std::string file = folder.file("c.txt", "A: send(3)\nB: receive()\nA: ->\nB: ->\n");
  const Outcome outcome = check("--format text --spec channel --explain " + file);
  EXPECT_TRUE(says(outcome, "send(3) -> ok\n") && says(outcome, "receive() -> ?\n")) << outcome.out;
}

TEST(LogForms, ABareReturnOfARemovalInLimosFormMeansEmpty) {
  TemporaryFolder folder;
  const auto code = [&](const std::string& object, const std::string& lines) {
    return check(folder.file("l.hist", "# @object atomic-" + object + "\n" + lines)).code;
  };
  EXPECT_EQ(code("stack", "[1] call pop\n[1] return\n[1] call push(1)\n[1] return\n"), 0);
  EXPECT_EQ(code("stack", "[1] call push(1)\n[1] return\n[1] call pop\n[1] return\n"), 1);
  EXPECT_EQ(code("queue", "[1] call enq(1)\n[1] return\n[1] call deq()\n[1] return\n"), 1);
  EXPECT_EQ(code("queue", "[1] call enq(1)\n[2] call deq\n[2] return\n[1] return\n"), 0);
  // The value may stand with the call; then a bare return says nothing more.
  EXPECT_EQ(code("stack", "[1] call push(1)\n[1] return\n[1] call pop(1)\n[1] return\n"), 0);
  EXPECT_EQ(code("stack", "[1] call push(1)\n[1] return\n[1] call pop(2)\n[1] return\n"), 1);
  // In the other forms it was not recorded.
  EXPECT_EQ(check("--spec stack " + folder.file("l.txt", "A: push(1) -> ok\nA: pop() ->\n")).code, 0);
}

TEST(LogForms, ALogInWhichAllFailedSaysSo) {
  TemporaryFolder folder;
  const std::string failed =
      "{:process 0 :type :invoke :f :cas :value [1 2]}\n{:process 0 :type :fail :f :cas :value [1 2]}\n"
      "{:process 1 :type :invoke :f :write :value 2}\n{:process 1 :type :fail :f :write :value 2}\n";
  const Outcome two = check("--spec cas-register " + folder.file("h.edn", failed));
  EXPECT_EQ(two.code, 2);
  EXPECT_TRUE(says(two, "h.edn: all 2 operations failed")) << two.out;
  EXPECT_EQ(check("--spec cas-register --failed observed " + folder.path("h.edn")).code, 0);
  const Outcome one = check("--spec queue " + folder.file("h.jsonl",
                                                          "{\"process\":1,\"event\":\"call\",\"op\":\"dequeue\"}\n"
                                                          "{\"process\":1,\"event\":\"fail\"}\n"));
  EXPECT_EQ(one.code, 2);
  EXPECT_TRUE(says(one, "h.jsonl: the only operation failed")) << one.out;
  const Outcome noise =
      check("--spec queue " + folder.file("n.edn", "{:process :nemesis :type :info :f :kill :value nil}\n"));
  EXPECT_EQ(noise.code, 2);
  EXPECT_TRUE(says(noise, "n.edn: holds no operations, only 1 other entry")) << noise.out;
  const Outcome channel = check("--spec channel " + folder.file("e.jsonl", "{\"object\":\"channel\"}\n"));
  EXPECT_EQ(channel.code, 2);
  EXPECT_TRUE(says(channel, "e.jsonl: holds no operations")) << channel.out;
}

TEST(LogForms, APendingCallKeepsItsAmount) {
  TemporaryFolder folder;
  // Two permits come from a release that never returned.
  const std::string file = folder.file("s.log", "# semaphore\n0 3 - release 2\n1 6 9 acquire\n2 9 12 acquire\n");
  EXPECT_EQ(check(file).code, 0);
  EXPECT_EQ(check(folder.file("t.log", "# semaphore\n0 3 - release\n1 6 9 acquire\n2 9 12 acquire\n")).code, 1);
}

TEST(LogForms, ACoreFailsByItselfWhereTimesTouch) {
  TemporaryFolder folder;
  const std::string core = folder.path("core.jsonl");
  const std::string file = folder.file("q.log", "# stack\npush 1 0 1\npush 2 1 2\npop 1 2 3\npop 2 3 4\n");
  EXPECT_EQ(check("--write-core " + core + " " + file).code, 1);
  EXPECT_EQ(check(core).code, 1);
}

TEST(LogForms, WhatTheNemesisDidIsOnTheTimeline) {
  TemporaryFolder folder;
  const std::string file = folder.file("n.edn",
                                       "{:process 0 :type :invoke :f :write :value 1 :time 10}\n"
                                       "{:process :nemesis :type :info :f :partition :value [:n1 :n2] :time 15}\n"
                                       "{:process 0 :type :ok :f :write :value 1 :time 20}\n"
                                       "{:process 1 :type :invoke :f :read :value nil :time 30}\n"
                                       "{:process 1 :type :ok :f :read :value 2 :time 40}\n");
  const std::string report = folder.path("report.json");
  EXPECT_EQ(check("--spec register --json " + report + " " + file).code, 1);
  const Outcome shown = test::run("cat " + report);
  EXPECT_TRUE(says(shown, "\"disturbances\": [")) << shown.out;
  EXPECT_TRUE(says(shown, "\"at\": 15")) << shown.out;
  EXPECT_TRUE(says(shown, "\":nemesis partition [:n1 :n2]\"")) << shown.out;
}

TEST(LogForms, SkewNeedsTheTimesOfAllCallsAndReturns) {
  TemporaryFolder folder;
  const auto history = [&](const std::string& time_of_return) {
    return folder.file("h.edn",
                       "{:process 0 :type :invoke :f :write :value 1 :time 10}\n"
                       "{:process 0 :type :ok :f :write :value 1 :time 20}\n"
                       "{:process 1 :type :invoke :f :read :value nil :time 30}\n"
                       "{:process 1 :type :ok :f :read :value 2" +
                           time_of_return + "}\n");
  };
  EXPECT_EQ(check("--spec register --skew 1ms " + history(" :time 40")).code, 1);
  const Outcome untimed = check("--spec register --skew 1ms " + history(""));
  EXPECT_EQ(untimed.code, 2);
  EXPECT_TRUE(says(untimed, "h.edn:3: --skew needs the times of all calls and returns, and this operation lacks one"))
      << untimed.out;
  EXPECT_EQ(check("--spec register --explain " + history("")).code, 1);
}

}  // namespace
}  // namespace muster
