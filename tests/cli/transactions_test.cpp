// `muster check` on logs of transactions, and of lists that grow.

#include <gtest/gtest.h>

#include "cli/check_command.hpp"

namespace muster {
namespace {

using test::check;
using test::Outcome;
using test::says;
using test::TemporaryFolder;

/// An invocation and its completion.
std::string txn(const std::string& asked, const std::string& answered) {
  return "{:process 0 :type :invoke :f :txn :value " + asked + "}\n{:process 0 :type :ok :f :txn :value " + answered +
         "}\n";
}

Outcome check_transactions(const std::string& content, const std::string& flags = "") {
  TemporaryFolder folder;
  return check("--spec multi-register " + flags + " " + folder.file("txn.edn", content));
}

TEST(Transactions, TwoMicroOperationsAreNoKeyAndValue) {
  const std::string two_each =
      txn("[[:w :x 1] [:r :x nil]]", "[[:w :x 1] [:r :x 1]]") + txn("[[:r :x nil] [:w :x 2]]", "[[:r :x 1] [:w :x 2]]");
  const Outcome outcome = check_transactions(two_each);
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_TRUE(says(outcome, "  multi-register: linearizable\n")) << outcome.out;
  const std::string with_more =
      two_each + txn("[[:r :x nil] [:w :x 3] [:r :x nil]]", "[[:r :x 2] [:w :x 3] [:r :x 3]]");
  EXPECT_EQ(check_transactions(with_more).code, 0);
  EXPECT_EQ(check_transactions(two_each + txn("[[:r :x nil] [:r :y nil]]", "[[:r :x 1] [:r :y 0]]")).code, 1);
  const Outcome forced = check_transactions(two_each, "--keys yes");
  EXPECT_EQ(forced.code, 2);
  EXPECT_TRUE(says(forced, "txn.edn:1: the value [[:w :x 1] [:r :x nil]] is not a pair [key value]")) << forced.out;
}

TEST(Transactions, TwoMicroOperationsOfALogLineAreNoKeyAndValue) {
  TemporaryFolder folder;
  const std::string file = folder.file("txn.log",
                                       "INFO  jepsen.util - 0\t:invoke\t:txn\t[[:w :x 1] [:r :y nil]]\n"
                                       "INFO  jepsen.util - 0\t:ok\t:txn\t[[:w :x 1] [:r :y nil]]\n"
                                       "INFO  jepsen.util - 0\t:invoke\t:txn\t[[:r :x nil] [:w :y 2]]\n"
                                       "INFO  jepsen.util - 0\t:ok\t:txn\t[[:r :x 1] [:w :y 2]]\n");
  EXPECT_EQ(check("--spec multi-register " + file).code, 0);
}

TEST(Transactions, OfOneKeyAmongManyAreJudgedAlone) {
  const std::string first = txn("[5 [[:w :x 1] [:r :x nil]]]", "[5 [[:w :x 1] [:r :x 1]]]");
  const Outcome good = check_transactions(first + txn("[6 [[:r :x nil]]]", "[6 [[:r :x nil]]]"));
  EXPECT_EQ(good.code, 0) << good.out;
  EXPECT_TRUE(says(good, "2 keys of multi-register: 2 linearizable")) << good.out;
  EXPECT_EQ(check_transactions(first + txn("[5 [[:r :x nil]]]", "[5 [[:r :x nil]]]")).code, 1);
}

TEST(Transactions, ReadingNilIsAnAnswer) {
  const std::string write = txn("[[:w :x 1]]", "[[:w :x 1]]");
  EXPECT_EQ(check_transactions(txn("[[:r :x nil]]", "[[:r :x nil]]") + write).code, 0);
  EXPECT_EQ(check_transactions(write + txn("[[:r :x nil]]", "[[:r :x nil]]")).code, 1);
  const Outcome unrecorded = check_transactions(write + txn("[[:r :x nil]]", "nil"), "--explain");
  EXPECT_EQ(unrecorded.code, 0);
  EXPECT_TRUE(says(unrecorded, "txn([[:r :x nil]]) -> ?")) << unrecorded.out;
}

TEST(Transactions, RegistersBeginWithNilWhereTheLogReadsNil) {
  const std::string zero = txn("[[:r :x nil]]", "[[:r :x 0]]"), nil = txn("[[:r :y nil]]", "[[:r :y nil]]");
  EXPECT_EQ(check_transactions(zero).code, 0);
  EXPECT_EQ(check_transactions(nil).code, 0);
  EXPECT_EQ(check_transactions(zero + nil).code, 1);
  EXPECT_EQ(check_transactions(nil, "--initial 0").code, 1);
  TemporaryFolder folder;
  const std::string core = folder.path("core.jsonl");
  for (const std::string& content :
       {zero + txn("[[:r :x nil]]", "[[:r :x 1]]"), nil + txn("[[:r :x nil]]", "[[:r :x 1]]")}) {
    EXPECT_EQ(check("--spec multi-register --write-core " + core + " " + folder.file("txn.edn", content)).code, 1);
    const Outcome again = check(core);
    EXPECT_EQ(again.code, 1);
    EXPECT_TRUE(says(again, ":x\" 1]]\n")) << again.out;
  }
}

TEST(Transactions, AHeaderSaysWhatAnObjectBeginsWithWhateverItIsCalled) {
  TemporaryFolder folder;
  const auto reads = [&](const std::string& object, const std::string& initial, const std::string& args) {
    return check(folder.file("h.jsonl", "{\"object\":\"" + object + "\",\"initial\":" + initial +
                                            "}\n{\"op\":\"read\",\"args\":" + args + ",\"result\":" + initial +
                                            ",\"start\":1,\"end\":2}\n"))
        .code;
  };
  EXPECT_EQ(reads("multi-register", "\"a\"", "[\"x\"]"), 0);
  EXPECT_EQ(reads("multi-register", "null", "[\"x\"]"), 0);
  EXPECT_EQ(reads("casregister", "\"a\"", "[]"), 0);
  EXPECT_EQ(reads("atomic-register", "null", "[]"), 0);
}

TEST(Transactions, UnknownOrMalformedMicroOperationsAreRefusedByName) {
  struct Case {
    std::string asked, answered, message;
  };
  const Case cases[] = {
      {"[[:append 1 1]]", "[[:append 1 1]]",
       "multi-register has no micro-operation `:append`; it has :r (:read) and :w"},
      {"[[:frobnicate 1 1]]", "[[:frobnicate 1 1]]", "multi-register has no micro-operation `:frobnicate`"},
      {"[[:w :x 1] [:append :x 1]]", "[[:w :x 1] [:append :x 1]]", "multi-register has no micro-operation `:append`"},
      {"[[:r :x nil] [:throw :x 1]]", "nil", "multi-register has no micro-operation `:throw`"},
      {"[[:for :x nil]]", "[[:for :x 1]]", "multi-register has no micro-operation `:for`"},
      {"[[:r :x]]", "[[:r :x]]", "[:r :x] is no micro-operation; [:r register nil] and [:w register value] are"},
      {"[[:r :x nil] 7 8]", "nil", "7 is no micro-operation"},
      {":x", ":x", ":x is no list of micro-operations such as [[:r x nil] [:w y 1]]"},
      {"[[:w :x 1]]", "[[:w :x 2]]", "the transaction [[:w :x 1]] completes as [[:w :x 2]]"},
      {"[[:w :x 1]]", "[[:r :x 1]]", "the transaction [[:w :x 1]] completes as [[:r :x 1]]"},
      {"[[:w :x 1] [:r :x nil]]", "[[:w :x 1]]", "the transaction [[:w :x 1] [:r :x nil]] completes as [[:w :x 1]]"},
      {"[[:r :x nil]]", ":ok", "the transaction [[:r :x nil]] completes as :ok"},
  };
  for (const Case& one : cases) {
    const Outcome outcome = check_transactions("\n" + txn(one.asked, one.answered));
    EXPECT_EQ(outcome.code, 2) << one.asked << "\n" << outcome.out;
    EXPECT_TRUE(says(outcome, "txn.edn:2: " + one.message)) << one.message << "\n" << outcome.out;
  }
}

TEST(Transactions, MicroOperationsOfJsonAreRefusedByNameToo) {
  TemporaryFolder folder;
  const auto judged = [&](const std::string& args, const std::string& rest) {
    return check("--spec multi-register " +
                 folder.file("txn.jsonl", "{\"op\":\"txn\",\"args\":" + args + ",\"start\":1" + rest + "}\n"));
  };
  EXPECT_EQ(
      judged("[[[\"w\",\"x\",1],[\"r\",\"x\",null]]]", ",\"end\":2,\"result\":[[\"w\",\"x\",1],[\"r\",\"x\",1]]").code,
      0);
  EXPECT_EQ(judged("[[[\"Write\",\"x\",1]]]", "").code, 0);
  EXPECT_TRUE(
      says(judged("[[[\"append\",\"x\",1]]]", ""), "txn.jsonl:1: multi-register has no micro-operation `\"append\"`"));
  EXPECT_TRUE(says(judged("[[\"w\",\"x\",1]]", ""), "txn.jsonl:1: \"w\" is no micro-operation"));
  EXPECT_TRUE(says(judged("[[\"w\",\"x\",1],[\"w\",\"y\",1]]", ""), "txn of multi-register takes 1 argument, not 2"));
}

TEST(Appends, TextGoesOnAndListsGrow) {
  TemporaryFolder folder;
  const auto appended = [&](const std::string& first, const std::string& second, const std::string& read) {
    return check("--format text --spec kv " + folder.file("a.txt", "A: append(k, " + first + ") -> ok\nA: append(k, " +
                                                                       second + ") -> ok\nA: get(k) -> " + read + "\n"))
        .code;
  };
  EXPECT_EQ(appended("\"a\"", "\"b\"", "\"ab\""), 0);
  EXPECT_EQ(appended("\"a\"", "\"b\"", "\"ba\""), 1);
  EXPECT_EQ(appended("1", "2", "[1 2]"), 0);
  EXPECT_EQ(appended("1", "2", "[2 1]"), 1);
  EXPECT_EQ(appended("1", "2", "[2]"), 1);
  EXPECT_EQ(appended("1", "2", "\"12\""), 0);
  EXPECT_EQ(appended("1", "2", "\"2\""), 1);
  const std::string after_put = "A: put(k, 1) -> ok\nA: append(k, 2) -> ok\nA: get(k) -> ";
  EXPECT_EQ(check("--format text --spec kv " + folder.file("p.txt", after_put + "\"12\"\n")).code, 0);
  EXPECT_EQ(check("--format text --spec kv " + folder.file("p.txt", after_put + "\"2\"\n")).code, 1);
}

TEST(Appends, OfJepsenWithKeys) {
  TemporaryFolder folder;
  const auto judged = [&](const std::string& read) {
    return check("--spec kv " + folder.file("a.edn",
                                            "{:process 0 :type :invoke :f :append :value [:k 1]}\n"
                                            "{:process 0 :type :ok :f :append :value [:k 1]}\n"
                                            "{:process 0 :type :invoke :f :append :value [:k 2]}\n"
                                            "{:process 0 :type :ok :f :append :value [:k 2]}\n"
                                            "{:process 1 :type :invoke :f :read :value [:k nil]}\n"
                                            "{:process 1 :type :ok :f :read :value [:k " +
                                                read + "]}\n"))
        .code;
  };
  EXPECT_EQ(judged("[1 2]"), 0);
  EXPECT_EQ(judged("[2 1]"), 1);
  EXPECT_EQ(judged("[1]"), 1);
}

}  // namespace
}  // namespace muster
