// The structures of Round-Up: every cell of Tables I and IV, and the examples of its text, through the program a user
// would run.

#include <gtest/gtest.h>

#include <fstream>

#include "support/command.hpp"

namespace muster::test {
namespace {

class RoundUp : public ::testing::Test {
 protected:
  Outcome check(const std::string& arguments) {
    return run(std::string(MUSTER_ROUNDUP_CHECKS) + " --no-races --late-yields 0 --folder " + folder_.path("saved") +
               " " + arguments);
  }
  /// Whether the check fails with these factors on some of the tests.
  bool fails(const std::string& name, const std::string& factor, const std::vector<std::string>& tests) {
    std::string arguments = name + " --minimise 0 --quasi " + factor;
    for (const std::string& test : tests) arguments += " --matrix '" + test + "'";
    const Outcome outcome = check(arguments);
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 1) << outcome.out;
    return outcome.code == 1;
  }
  TemporaryFolder folder_;
};

struct Cells {
  std::string name;
  bool linearizable, quasi;
  std::vector<std::string> tests;
};

const std::string small_queue =
    "enqueue(1), enqueue(2) | enqueue(3), dequeue() | last: dequeue(), dequeue(), dequeue()";
const std::string full_queue =
    "first: enqueue(1), enqueue(2), enqueue(3), enqueue(4) | dequeue() | dequeue() | last: dequeue(), dequeue()";
const std::string busy_queue = "enqueue(1), dequeue() | dequeue(), dequeue()";
const std::string two_producers =
    "first: enqueue(1), enqueue(2) | enqueue(3) | enqueue(4) | last: dequeue(), dequeue(), dequeue(), dequeue()";
const std::string small_stack = "push(1), push(2) | push(3), pop() | last: pop(), pop(), pop()";
const std::string deep_stack =
    "first: push(1), push(2), push(3), push(4) | push(5) | pop() | last: pop(), pop(), pop(), pop()";
const std::string emptied_segment =
    "first: push(1), push(2), push(3), push(4), pop() | push(5) | pop() | last: pop(), pop(), pop(), pop()";
const std::string small_priorities =
    "insert(4), insert(2) | insert(3), insert(1) | last: poll(), poll(), poll(), poll()";

TEST_F(RoundUp, CellsOfTablesIAndIV) {
  const std::vector<std::string> queues{small_queue, full_queue, busy_queue, two_producers},
      stacks{small_stack, deep_stack};
  const Cells cells[] = {
      {"iqueue", false, false, queues},
      {"herlihy_wing_queue", true, true, {small_queue, full_queue}},
      {"quasi_queue", false, true, queues},
      {"quasi_queue_b1", false, false, queues},
      {"quasi_queue_b2", false, false, queues},
      {"quasi_queue_b3", false, false, queues},
      {"quasi_stack", true, true, stacks},
      {"quasi_stack_b1", false, false, stacks},
      {"quasi_stack_b2", false, false, {deep_stack}},
      {"quasi_priority_queue", false, true, {small_priorities}},
      {"quasi_priority_queue_b2", false, false, {small_priorities}},
      {"sl_queue", false, false, queues},
      {"t_stack", true, true, stacks},
      {"ms_queue", true, true, queues},
      {"rd_queue", false, true, queues},
      {"bk_queue_seeded", false, true, queues},
      {"ubk_queue_seeded", false, true, queues},
      {"k_stack_seeded", false, false, {emptied_segment}},
      {"k_stack_seeded_repaired", false, true, {small_stack, emptied_segment}},
  };
  for (const Cells& each : cells) {
    EXPECT_EQ(!fails(each.name, "0", each.tests), each.linearizable) << each.name << " linearizable";
    EXPECT_EQ(!fails(each.name, "2", each.tests), each.quasi) << each.name << " quasi-linearizable";
  }
}

TEST_F(RoundUp, Figure3TheSegmentedQueueHasFactorOne) {
  const Outcome outcome = check("segmented_queue --matrix '" + full_queue + "' --matrix '" + small_queue + "'");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_TRUE(says(outcome, "Largest factor that a history needs: 1")) << outcome.out;
  EXPECT_EQ(check("segmented_queue --quasi 0 --matrix '" + full_queue + "'").code, 1);
}

// With K + 2 enqueues and K + 1 dequeues the first item can be left behind K + 1 times.
TEST_F(RoundUp, Figure4WithoutItsWindowFailsEveryFactor) {
  for (unsigned factor = 1; factor <= 3; ++factor) {
    std::string first, last;
    for (unsigned i = 1; i <= factor + 2; ++i) first += (i > 1 ? ", enqueue(" : "enqueue(") + std::to_string(i) + ")";
    for (unsigned i = 1; i <= factor; ++i) last += i > 1 ? ", dequeue()" : "dequeue()";
    const std::string test =
        " --quasi " + std::to_string(factor) + " --matrix 'first: " + first + " | dequeue() | last: " + last + "'";
    const Outcome sliding = check("one_of_the_first_two --minimise 0" + test);
    EXPECT_EQ(sliding.code, 1) << sliding.out;
    EXPECT_TRUE(says(sliding, "smallest factor " + std::to_string(factor + 1) + ": 1 is overtaken " +
                                  std::to_string(factor + 1) + " times"))
        << sliding.out;
    EXPECT_EQ(check("first_two_in_a_window" + test).code, 0);
  }
}

TEST_F(RoundUp, ReportsTellWhoIsOutOfTurn) {
  const std::string path = folder_.path("report.json");
  check("one_of_the_first_two --minimise 0 --json " + path +
        " --matrix 'first: enqueue(1), enqueue(2), enqueue(3) | dequeue() | last: dequeue()'");
  std::ifstream file(path);
  const std::string report{std::istreambuf_iterator<char>(file), {}};
  // 2 and 3 come out, and it was the turn of 1, which stays inside.
  EXPECT_NE(report.find("\"displacements\""), std::string::npos) << report;
  EXPECT_NE(report.find("\"instead_of\""), std::string::npos) << report;
}

TEST_F(RoundUp, Algorithm3PushesAnItemTwice) {
  const Outcome outcome = check("k_stack_small");
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  // Diagnosis as in section VI-D: the history, and the interleaving by source line.
  EXPECT_TRUE(says(outcome, "no factor explains it")) << outcome.out;
  EXPECT_TRUE(says(outcome, "How it happened")) << outcome.out;
  EXPECT_TRUE(says(outcome, "k_stack.hpp:")) << outcome.out;
  EXPECT_TRUE(says(outcome, "push(4)")) << outcome.out;
  EXPECT_EQ(check("k_stack_small_repaired").code, 0);
}

TEST_F(RoundUp, AGoldenClassAndTheClassItselfServeAsSpecs) {
  const Outcome golden = check("quasi_queue_by_golden_class --size 2x2 --tests 12");
  EXPECT_EQ(golden.code, 0) << golden.out;
  EXPECT_TRUE(says(golden, "well-formed")) << golden.out;
  EXPECT_TRUE(says(golden, "Largest factor that a history needs: 2")) << golden.out;
  const Outcome strict = check("quasi_queue_by_golden_class --size 2x2 --tests 12 --quasi dequeue=0 --minimise 0");
  EXPECT_EQ(strict.code, 1) << strict.out;
  const Outcome broken = check(
      "quasi_queue_b1_by_golden_class --minimise 0 --matrix 'first: enqueue(1), enqueue(2), enqueue(3), enqueue(4) | "
      "dequeue() | dequeue() | last: "
      "dequeue(), dequeue()'");
  EXPECT_EQ(broken.code, 1) << broken.out;
  EXPECT_TRUE(says(broken, "within dequeue=1")) << broken.out;
  EXPECT_EQ(check("quasi_queue_by_model --size 2x2 --tests 8").code, 0);
  EXPECT_EQ(check("quasi_queue_by_model --size 2x2 --tests 8 --quasi dequeue=0 --minimise 0").code, 1);
  EXPECT_EQ(check("k_fifo_by_itself --size 2x2 --tests 8").code, 0);
  const Outcome list = check("sl_queue_by_itself --size 2x2 --tests 8");
  EXPECT_EQ(list.code, 1) << list.out;
  EXPECT_TRUE(says(list, "Serial runs, the nearest first")) << list.out;
}

// A factor on insertions asks for serial orders that no schedule of the test has: they are run as well.
TEST_F(RoundUp, InsertionsMayBeOutOfOrderToo) {
  const std::string test = " --matrix 'enqueue(1), enqueue(2) | enqueue(3) | last: dequeue(), dequeue(), dequeue()'";
  EXPECT_EQ(check("quasi_queue_by_golden_class --quasi enqueue=2 " + test).code, 0);
  EXPECT_EQ(check("quasi_queue_by_golden_class --quasi enqueue=0,dequeue=0 --minimise 0" + test).code, 1);
}

TEST_F(RoundUp, RefusesWhatIsNoFactor) {
  EXPECT_EQ(check("quasi_queue --quasi steal=2 --matrix '" + small_queue + "'").code, 2);
  EXPECT_EQ(check("quasi_queue --spec register --matrix '" + small_queue + "'").code, 2);
}

}  // namespace
}  // namespace muster::test
