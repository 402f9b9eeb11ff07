// `muster check` as a user meets it: exit codes, messages, formats, flags.

#include <gtest/gtest.h>

#include "cli/check_command.hpp"

namespace muster {
namespace {

using test::check;
using test::Outcome;
using test::TemporaryFolder;

TEST(Check, APassIsExitCodeZeroAndNamesTheObject) {
  TemporaryFolder folder;
  const std::string file = folder.file("q.log", "# queue\nenq 1 1 2\ndeq 1 3 4\n");
  const Outcome outcome = check(file);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, file + ": 2 operations\n  queue: linearizable\n");
}

TEST(Check, AFailureIsExitCodeOneWithItsCore) {
  TemporaryFolder folder;
  const std::string file = folder.file("s.log", "# stack\npush 7 0 1\npop 7 1 2\npush 1 3 4\npop -1 5 6\n");
  const Outcome outcome = check("--explain " + file);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("NOT LINEARIZABLE"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("2 operations alone show it"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("pop() -> nil   <- has no place"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("push(7)"), std::string::npos) << outcome.out;
}

TEST(Check, AnExplanationDoesNotLoseTheReason) {
  TemporaryFolder folder;
  const std::string file = folder.file("q.log", "# queue\nenq 1 1 2\nenq 2 3 4\ndeq 2 5 6\n");
  for (const std::string flags : {"", "--explain "}) {
    const Outcome outcome = check(flags + file);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.out.find("2 came out before 1, which had gone in first"), std::string::npos) << outcome.out;
  }
}

TEST(Check, AReportOfARelaxedLogTellsWhoIsOutOfTurn) {
  TemporaryFolder folder;
  const std::string file = folder.file("q.log", "# queue\nenq 1 1 2\nenq 2 3 4\ndeq 2 5 6\ndeq 1 7 8\n");
  const std::string report = folder.path("report.json");
  for (const std::string factor : {"0", "1"}) {
    EXPECT_EQ(check("--quasi " + factor + " --json " + report + " " + file).code, factor == "0" ? 1 : 0);
    const Outcome shown = test::run("cat " + report);
    EXPECT_NE(shown.out.find("smallest factor 1"), std::string::npos) << shown.out;
    EXPECT_NE(shown.out.find("\"displacements\""), std::string::npos) << shown.out;
  }
}

TEST(Check, TheCoreIsWrittenAndFailsByItself) {
  TemporaryFolder folder;
  const std::string file = folder.file("s.log", "# stack\npush 7 0 1\npop 7 1 2\npush 1 3 4\npop -1 5 6\n");
  const std::string core = folder.path("core.jsonl");
  EXPECT_EQ(check("--write-core " + core + " " + file).code, 1);
  EXPECT_EQ(check("--spec stack " + core).code, 1);
}

TEST(Check, TheCoreSaysWhatItIsAboutAndWhichReturnIsWhose) {
  TemporaryFolder folder;
  const std::string core = folder.path("core.jsonl");
  const std::string without_processes =
      folder.file("r.jsonl",
                  "{\"object\":\"register\"}\n"
                  "{\"op\":\"write\",\"args\":[1],\"start\":10,\"end\":30}\n"
                  "{\"op\":\"write\",\"args\":[2],\"start\":20,\"end\":40}\n"
                  "{\"op\":\"read\",\"args\":[],\"result\":2,\"start\":70,\"end\":80}\n"
                  "{\"op\":\"read\",\"args\":[],\"result\":1,\"start\":90,\"end\":99}\n");
  EXPECT_EQ(check("--write-core " + core + " " + without_processes).code, 1);
  EXPECT_EQ(check(core).code, 1);
  const std::string jepsen = folder.file("h.edn",
                                         "[{:process 1, :type :invoke, :f :read, :value nil, :time 40}"
                                         " {:process 1, :type :ok, :f :read, :value 0, :time 50}]");
  EXPECT_EQ(check("--spec cas-register --write-core " + core + " " + jepsen).code, 1);  // it begins with nil
  EXPECT_EQ(check(core).code, 1);
  const std::string begins_with_five =
      folder.file("five.jsonl",
                  "{\"object\":\"register\"}\n{\"process\":1,\"event\":\"call\",\"op\":\"read\"}\n"
                  "{\"process\":1,\"event\":\"return\",\"result\":0}\n");
  EXPECT_EQ(check(begins_with_five).code, 0);
  EXPECT_EQ(check("--initial 5 --write-core " + core + " " + begins_with_five).code, 1);
  EXPECT_EQ(check(core).code, 1);
  const std::string overlaps_itself =
      folder.file("overlaps.jsonl",
                  "{\"object\":\"register\"}\n{\"process\":1,\"op\":\"write\",\"args\":[1],\"start\":1,\"end\":9}\n"
                  "{\"process\":1,\"op\":\"write\",\"args\":[2],\"start\":2,\"end\":8}\n"
                  "{\"process\":1,\"op\":\"read\",\"result\":1,\"start\":10,\"end\":11}\n"
                  "{\"process\":1,\"op\":\"read\",\"result\":2.0,\"start\":12,\"end\":13}\n");
  EXPECT_EQ(check("--write-core " + core + " " + overlaps_itself).code, 1);
  EXPECT_EQ(check(core).code, 1);
}

TEST(Check, APassIsExplainedByAnOrder) {
  TemporaryFolder folder;
  const std::string file = folder.file("q.txt", "# queue\nA: enq(1)\nB: enq(2) -> ok\nA: -> ok\nA: deq() -> 2\n");
  const Outcome outcome = check("--explain " + file);
  EXPECT_EQ(outcome.code, 0);
  const std::size_t two = outcome.out.find("enq(2)"), one = outcome.out.find("enq(1)");
  EXPECT_LT(two, one) << outcome.out;
}

TEST(Check, AResultWithoutAnEndAndAnEmptyLogAreErrors) {
  TemporaryFolder folder;
  const Outcome misspelt = check(folder.file(
      "q.jsonl", "{\"object\":\"queue\"}\n{\"op\":\"dequeue\",\"args\":[],\"result\":1,\"start\":1,\"edn\":2}\n"));
  EXPECT_EQ(misspelt.code, 2);
  EXPECT_NE(misspelt.out.find("q.jsonl:2: a result without \"end\""), std::string::npos) << misspelt.out;
  EXPECT_NE(misspelt.out.find("\"edn\" is no field"), std::string::npos) << misspelt.out;
  EXPECT_EQ(check(folder.file("empty.jsonl", "{\"object\":\"queue\"}\n")).code, 2);
}

TEST(Check, BadInputIsExitCodeTwoWithFileAndLine) {
  TemporaryFolder folder;
  struct Case {
    const char* name;
    const char* content;
    const char* message;
  };
  const Case cases[] = {
      {"a.jsonl",
       "{\"process\":1,\"event\":\"call\",\"op\":\"push\",\"args\":[1]}\n{\"process\":2,\"event\":\"return\"}\n",
       ":2: return of process 2, which has called nothing"},
      {"b.jsonl", "{\"process\":1,\n", ":1: not the JSON object that is expected here"},
      {"c.jsonl", "{\"process\":1,\"op\":\"push\",\"args\":[1],\"start\":5,\"end\":3}\n",
       ":1: the operation ends at 3 before it starts at 5"},
      {"d.log", "# stack\npush 1 1 x\n", ":2: `x` is not a time"},
      {"e.edn", "[{:process 1 :type :invoke :f :push :value 1}\n {:process 1 :type :sometimes :f :push}]\n",
       ":2: :type is :invoke, :ok, :fail or :info, not :sometimes"},
      {"f.edn", "[{:process 1 :type :invoke :f :push :value 1}\n", "the file ends before the closing `]`"},
      {"g.txt", "A: push(1) -> ok\nA: fly(1) -> ok\n", ":2: stack has no operation `fly`"},
      {"h.hist", "# @object atomic-stack\n[1] jump\n", ":2: expected `call` or `return` after the process"},
      {"i.bin", "what is this", ":1: the format is not recognised"},
      {"j.log", "# stack\n0 1 2\n", ":2: expected `process start end method values`"},
      {"l.jsonl", "{\"op\":\"push\",\"args\":[1],\"start\":5,\"end\":6,\"end\":7}\n", ":1: \"end\" is there twice"},
      {"m.jsonl", "{\"op\":\"push\",\"args\":[1],\"result\":false,\"start\":5,\"end\":6}\n",
       ":1: push of stack always works, but this one answered false"},
      {"n.jsonl", "{\"object\":\"stack\"}\n{\"object\":\"queue\"}\n", ":2: the object is named a second time"},
      {"o.edn", "{:process 0 :type :invoke :f :push :value 1}\n{:process 0 :type :ok :f :pop :value 1}\n",
       ":2: :ok of `pop`, but process 0 has invoked `push` in line 1"},
      {"p.edn", "{:process 0 :type :invoke :f :push :value 1}\n{:process 0 :type :ok :f :push :value 2}\n",
       ":1: push of 1 completes with another value, 2"},
      {"q.edn", "{:process 0 :type :invoke :f :push :value 1 :value 2}\n", ":1: :value is there twice"},
      {"r.edn", "{:process 0 :type :invoke :f :push :value {:a 1 :a 2}}\n", ":1: a map has the key :a twice"},
      {"k.edn", "{:process 1 :type :invoke :f :txn :value [[:r 1 nil]]}\n", ":1: operation `txn`"},
  };
  for (const Case& one : cases) {
    const Outcome outcome = check("--spec stack " + folder.file(one.name, one.content));
    EXPECT_EQ(outcome.code, 2) << one.name << "\n" << outcome.out;
    EXPECT_NE(outcome.out.find(std::string(one.name)), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find(one.message), std::string::npos) << one.name << "\n" << outcome.out;
  }
}

TEST(Check, AmountsAreNumbers) {
  TemporaryFolder folder;
  struct Case {
    const char *spec, *call, *message;
  };
  const Case cases[] = {
      {"counter", "add(x)", ":1: add of counter takes a number, not x"},
      {"counter", "subtract([1])", ":1: subtract of counter takes a number, not [1]"},
      {"fetch-and-add", "fetch_and_add(1.5)", ":1: fetch_and_add of fetch-and-add takes a number, not 1.5"},
      {"semaphore", "release(x)", ":1: release of semaphore takes a number that is not negative, not x"},
      {"semaphore", "acquire(-1)", ":1: acquire of semaphore takes a number that is not negative, not -1"},
  };
  for (const Case& one : cases) {
    const std::string file = folder.file("a.txt", std::string("A: ") + one.call + " -> ok\n");
    const Outcome outcome = check("--format text --spec " + std::string(one.spec) + " " + file);
    EXPECT_EQ(outcome.code, 2) << one.call << "\n" << outcome.out;
    EXPECT_NE(outcome.out.find(one.message), std::string::npos) << outcome.out;
  }
  const std::string negative = folder.file("n.txt", "A: add(-2) -> -2\nA: read() -> -2\n");
  EXPECT_EQ(check("--format text --spec counter " + negative).code, 0);
}

TEST(Check, JepsenCompletesOtherOperationsWithOtherValues) {
  TemporaryFolder folder;
  const std::string file = folder.file("h.edn",
                                       "{:process 0 :type :invoke :f :write :value 1}\n"
                                       "{:process 0 :type :ok :f :write :value nil}\n"
                                       "{:process 0 :type :invoke :f :read :value nil}\n"
                                       "{:process 0 :type :ok :f :read :value 1}\n"
                                       "{:process 0 :type :invoke :f :write :value 2}\n"
                                       "{:process 0 :type :ok :f :write :value :ok}\n"
                                       "{:process 0 :type :invoke :f :write :value 3}\n"
                                       "{:process 0 :type :info :f :write :value :timeout}\n");
  EXPECT_EQ(check("--spec register " + file).code, 0);
}

TEST(Check, MissingFilesAndBadFlagsAreExitCodeTwo) {
  EXPECT_EQ(check("/nowhere/at/all.log").code, 2);
  EXPECT_EQ(check("--spec teapot " MUSTER_SOURCE_DIR "/README.md").code, 2);
  EXPECT_EQ(check("").code, 2);
  TemporaryFolder folder;
  const std::string file = folder.file("q.log", "# queue\nenq 1 1 2\n");
  EXPECT_EQ(check("--time soon " + file).code, 2);
  EXPECT_EQ(check("--map nonsense " + file).code, 2);
  EXPECT_EQ(check("--initial '[1' " + file).code, 2);
  EXPECT_EQ(check("--initial '[1 \"]\"]' " + file).code, 0);
  EXPECT_EQ(check("--skew 5ms " + folder.file("t.txt", "# queue\nA: enq(1) -> ok\n")).code, 2);
}

TEST(Check, ALimitGivesUndecidedNeverAGuess) {
  TemporaryFolder folder;
  std::string content = "# deque\n";
  // Many overlapping insertions, and one that comes out before all of them although it went in last: every order of the
  // others would have to be tried.
  for (int i = 0; i < 24; ++i) content += "push_back " + std::to_string(i) + " 0 100\n";
  content += "push_back 99 101 102\npop_front 99 103 104\n";
  const Outcome outcome = check("--time 50ms " + folder.file("hard.log", content));
  EXPECT_EQ(outcome.code, 3) << outcome.out;
  EXPECT_NE(outcome.out.find("undecided: time limit"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("explained up to the first"), std::string::npos) << outcome.out;
}

TEST(Check, WhatComesOutTooOftenNeedsNoSearch) {
  TemporaryFolder folder;
  std::string content = "# queue\n";
  for (int i = 0; i < 40; ++i) content += "enq " + std::to_string(i % 5) + " 0 100\n";
  for (int i = 0; i < 41; ++i) content += "deq " + std::to_string(i % 5) + " 200 300\n";
  const Outcome outcome = check(folder.file("often.log", content));
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_NE(outcome.out.find("0 was taken out more often than put in"), std::string::npos) << outcome.out;
}

TEST(Check, CompressedFilesAndStandardInputAreRead) {
  TemporaryFolder folder;
  const std::string file = folder.file("q.log", "# queue\nenq 1 1 2\ndeq 1 3 4\n");
  if (test::run("gzip -k " + file).code == 0) {
    EXPECT_EQ(check(file + ".gz").code, 0);
    test::run("head -c 20 " + file + ".gz > " + file + ".cut.gz");
    const Outcome cut = check(file + ".cut.gz");
    EXPECT_EQ(cut.code, 2) << cut.out;
  }
  if (test::run("zstd -q " + file).code == 0) {
    EXPECT_EQ(check(file + ".zst").code, 0);
  }
  EXPECT_EQ(test::run("cat " + file + " | " MUSTER_COMMAND " check -").code, 0);
  EXPECT_EQ(check(file + " " + file).code, 0);
}

TEST(Check, NamesAreMapped) {
  TemporaryFolder folder;
  const std::string file =
      folder.file("m.jsonl",
                  "{\"process\":1,\"op\":\"save\",\"k\":\"a\",\"args\":[5],\"start\":1,\"end\":2}\n"
                  "{\"process\":1,\"op\":\"fetch\",\"k\":\"a\",\"result\":6,\"start\":3,\"end\":4}\n");
  EXPECT_EQ(check("--spec kv " + file).code, 2);
  const Outcome outcome = check("--spec kv --map save=put,fetch=get,key=.k " + file);
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_NE(outcome.out.find("\"a\" NOT LINEARIZABLE"), std::string::npos) << outcome.out;
}

TEST(Check, JepsenValuesMayCarryKeys) {
  TemporaryFolder folder;
  const std::string file = folder.file("i.edn",
                                       "[{:process 0 :type :invoke :f :write :value [1 5]}\n"
                                       " {:process 0 :type :ok :f :write :value [1 5]}\n"
                                       " {:process :nemesis :type :info :f :kill :value nil}\n"
                                       " {:process 0 :type :invoke :f :cas :value [1 [5 6]]}\n"
                                       " {:process 0 :type :ok :f :cas :value [1 [5 6]]}\n"
                                       " {:process 0 :type :invoke :f :read :value [1 nil]}\n"
                                       " {:process 0 :type :ok :f :read :value [1 6]}\n"
                                       " {:process 0 :type :invoke :f :read :value [2 nil]}\n"
                                       " {:process 0 :type :ok :f :read :value [2 nil]}]\n");
  const Outcome outcome = check("--spec cas-register " + file);
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_NE(outcome.out.find("2 keys of cas-register: 2 linearizable"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("1 other entry ignored"), std::string::npos) << outcome.out;
}

TEST(Check, SkewExplainsAStaleRead) {
  TemporaryFolder folder;
  const std::string file =
      folder.file("skew.jsonl",
                  "{\"object\":\"register\"}\n"
                  "{\"process\":1,\"op\":\"write\",\"args\":[1],\"start\":0,\"end\":1000000}\n"
                  "{\"process\":2,\"op\":\"read\",\"result\":0,\"start\":4000000,\"end\":5000000}\n");
  const Outcome strict = check("--skew 1ms " + file);
  EXPECT_EQ(strict.code, 1) << strict.out;
  EXPECT_NE(strict.out.find("explained if clocks may differ by 3 ms or more"), std::string::npos) << strict.out;
  EXPECT_EQ(check("--skew 3ms " + file).code, 0);
}

TEST(Check, PropertiesOfASingleWriterRegister) {
  TemporaryFolder folder;
  // Two reads during one write: the new value, then the old one.
  const std::string file = folder.file("r.log", "# register\nwrite 1 0 100\nread 1 10 20\nread 0 30 40\n");
  EXPECT_EQ(check("--property atomic " + file).code, 1);
  EXPECT_EQ(check("--property regular " + file).code, 0);
  EXPECT_EQ(check("--property safe " + file).code, 0);
  EXPECT_EQ(check("--property atomic " + folder.file("w.log", "# register\nwrite 1 0 5\nwrite 2 3 7\n")).code, 2);
}

TEST(Check, WeakerPropertiesAcceptMore) {
  TemporaryFolder folder;
  const std::string file = folder.file("p.log", "# register\n0 0 1 WRITE 1\n1 2 3 READ 0\n");
  EXPECT_EQ(check(file).code, 1);
  EXPECT_EQ(check("--property sequential " + file).code, 0);
  EXPECT_EQ(check("--property quiescent " + file).code, 1);
  const Outcome anonymous = check("--property sequential " + folder.file("q.log", "# register\nwrite 1 0 1\n"));
  EXPECT_EQ(anonymous.code, 2) << anonymous.out;
}

TEST(Check, EveryFailingKeyIsPrintedOnRequest) {
  TemporaryFolder folder;
  const std::string file = folder.file(
      "s.log", "# set\ninsert 1 1 0 1\ncontains 1 0 2 3\ninsert 2 1 0 1\ncontains 2 0 2 3\ninsert 3 1 0 1\n");
  const Outcome one = check(file), all = check("--all " + file);
  EXPECT_NE(one.out.find("3 keys of set: 1 linearizable, 2 NOT"), std::string::npos) << one.out;
  EXPECT_EQ(one.out.find("2 NOT LINEARIZABLE"), std::string::npos) << one.out;
  EXPECT_NE(all.out.find("2 NOT LINEARIZABLE"), std::string::npos) << all.out;
}

}  // namespace
}  // namespace muster
