// Where `muster check` ends: at the first key that fails, and at limits of the whole run.

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "cli/check_command.hpp"

namespace muster {
namespace {

using test::check;
using test::Outcome;
using test::says;
using test::TemporaryFolder;

/// Two keys that fail, the second after many operations, and one that passes.
std::string three_keys() {
  std::string log =
      "{\"object\":\"kv\"}\n"
      "{\"process\":1,\"op\":\"put\",\"args\":[\"a\",1],\"start\":1,\"end\":2}\n"
      "{\"process\":1,\"op\":\"get\",\"args\":[\"a\"],\"result\":2,\"start\":3,\"end\":4}\n"
      "{\"process\":2,\"op\":\"put\",\"args\":[\"c\",1],\"start\":1,\"end\":2}\n";
  for (int i = 0; i < 50; ++i) {
    log += "{\"process\":3,\"op\":\"put\",\"args\":[\"b\"," + std::to_string(i) +
           "],\"start\":" + std::to_string(10 * i) + ",\"end\":" + std::to_string(10 * i + 1) + "}\n";
  }
  return log + "{\"process\":3,\"op\":\"get\",\"args\":[\"b\"],\"result\":0,\"start\":900,\"end\":901}\n";
}

TEST(CheckLimits, JudgingEndsAtTheFirstKeyThatFails) {
  TemporaryFolder folder;
  const std::string file = folder.file("keys.jsonl", three_keys());
  for (const std::string threads : {"1", "4"}) {
    const Outcome first = check("--threads " + threads + " " + file),
                  all = check("--all --threads " + threads + " " + file);
    EXPECT_EQ(first.code, 1);
    EXPECT_TRUE(says(first, "3 keys of kv: 1 linearizable, 1 NOT, 1 not judged")) << first.out;
    EXPECT_TRUE(says(first, "key \"a\" NOT LINEARIZABLE")) << first.out;
    EXPECT_FALSE(says(first, "key \"b\"")) << first.out;
    EXPECT_TRUE(says(all, "3 keys of kv: 1 linearizable, 2 NOT\n")) << all.out;
    EXPECT_TRUE(says(all, "key \"b\" NOT LINEARIZABLE")) << all.out;
  }
}

/// Every order of many insertions would have to be tried.
std::string hard_log() {
  std::string log = "# deque\n";
  for (int i = 0; i < 24; ++i) log += "push_back " + std::to_string(i) + " 0 100\n";
  return log + "push_back 99 101 102\npop_front 99 103 104\n";
}

TEST(CheckLimits, TimeIsForTheWholeRun) {
  TemporaryFolder folder;
  const std::string hard = folder.file("hard.log", hard_log()), failing = folder.file("f.log", "# queue\ndeq 2 3 4\n");
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome = check("--time 400ms " + hard + " " + hard + " " + hard + " " + failing);
  const auto taken = std::chrono::steady_clock::now() - start;
  // Three searches that would never end share the time; a busy machine gets the second that limits hold within, and
  // more.
  EXPECT_LT(taken, std::chrono::milliseconds(400 + 1000 + 4000));
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_TRUE(says(outcome, "undecided: time limit")) << outcome.out;
}

TEST(CheckLimits, MemoryIsForTheWholeRun) {
  TemporaryFolder folder;
  const Outcome outcome = check("--memory 20M " + folder.file("hard.log", hard_log()));
  EXPECT_EQ(outcome.code, 3) << outcome.out;
  EXPECT_TRUE(says(outcome, "undecided: memory limit of 20 MB")) << outcome.out;
}

}  // namespace
}  // namespace muster
