// Channels, exchangers, barriers and their like, under control and on real threads: each beside its broken twins.

#include <gtest/gtest.h>

#include "support/command.hpp"
#include "support/property.hpp"

namespace muster::test {
namespace {

/// A subject with tests that show what it does: more threads than it takes to synchronise, except where exactly so many
/// are right.
struct Subject {
  const char* name;
  std::vector<const char*> tests;
};

const char* channel_tests[] = {"send(1) | send(2) | receive, receive", "send(1), send(2) | receive | receive, receive",
                               "send(1) | send(2) | receive", "send(1), send(1) | send(2) | receive, receive"};
const Subject correct[] = {
    {"channel", {channel_tests[0], channel_tests[1], channel_tests[2], channel_tests[3]}},
    {"semaphore_channel", {channel_tests[0], channel_tests[2]}},
    {"counting_channel", {channel_tests[0], channel_tests[1], channel_tests[2]}},
    {"filter_channel",
     {"send(2) | send(1) | receive(true)", "send(2), send(1) | receive(true) | receive(false)",
      "send(1) | receive(true), receive(false) | send(2)"}},
    {"men_and_women", {"man(1) | man(2) | woman(11), woman(12)", "man(1), man(2) | woman(11) | woman(12)"}},
    {"exchanger", {"exchange(1) | exchange(2) | exchange(3)", "exchange(1), exchange(2) | exchange(2) | exchange(3)"}},
    {"two_families",
     {"meet_as_a(1), meet_as_a(1) | meet_as_b(1), meet_as_b(1) | meet_as_b(2)",
      "meet_as_a(1) | meet_as_a(2) | meet_as_b(1)"}},
    {"one_family", {"meet(1) | meet(2) | meet(3)", "meet(1), meet(1) | meet(2), meet(2) | meet(3)"}},
    {"abc", {"sync_a(1) | sync_b(11) | sync_c(21) | sync_a(2)"}},
    {"counting_abc", {"sync_a(1) | sync_b(11) | sync_c(21) | sync_a(2)"}},
    {"barrier", {"sync | sync | sync", "sync, sync | sync, sync | sync, sync"}},
    {"signalling_barrier", {"sync, sync | sync, sync | sync, sync"}},
    {"counting_barrier", {"sync | sync | sync", "sync, sync | sync, sync | sync, sync"}},
    {"timeout_channel", {"send(1) | send(2) | receive", "send(1) | receive, receive | send(2)"}},
    {"timeout_exchanger", {"exchange(1) | exchange(2) | exchange(3)"}},
    {"terminating_queue", {"enqueue(1), dequeue | dequeue | dequeue", "dequeue | dequeue | dequeue"}},
    {"closeable_channel", {"send(1) | receive | close", "send(1) | send(2) | close"}},
    {"enrollable_barrier", {}},
    {"standard_barrier", {"sync | sync | sync"}},
    {"posix_barrier", {"sync | sync | sync", "sync, sync | sync, sync | sync, sync"}},
    {"standard_latch", {"sync | sync | sync"}},
};

struct Twin {
  const char* name;
  const char* test;  // null: those of the check
  const char* kind;
};
const Twin broken[] = {
    {"channel_wakes_one", "send(1), send(2) | receive | receive", "ever"},
    {"channel_slot_freed_by_self", "send(1) | send(2) | receive", "never returns"},
    {"semaphore_channel_no_reply", "send(1) | receive", "no synchronisation"},
    {"semaphore_channel_mutex_given_too_soon", "send(1) | send(2) | receive, receive", "synchronis"},
    {"counting_channel_counted_late", "send(1) | send(2) | receive, receive", "no synchronisation"},
    {"counting_channel_wakes_one", "send(1), send(2) | receive | receive", "ever"},
    {"counting_channel_slot_freed_by_self", "send(1) | send(2) | receive", "never returns"},
    {"filter_channel_first_offer_only", "send(2) | send(1) | receive(true)", "for ever"},
    {"filter_channel_filtered_once", "send(2) | receive(true)", "no synchronisation"},
    {"men_and_women_man_released_early", "man(1) | man(2) | woman(11), woman(12)", "synchronis"},
    {"men_and_women_wakes_one", "man(1) | man(2) | woman(11), woman(12)", "ever"},
    {"exchanger_third_enters", "exchange(1) | exchange(2) | exchange(3)", "no synchronisation"},
    {"exchanger_wakes_one", "exchange(1) | exchange(2) | exchange(3) | exchange(1)", "for ever"},
    {"two_families_asks_first_only", "meet_as_a(1), meet_as_a(1) | meet_as_b(1), meet_as_b(1) | meet_as_b(2)",
     "for ever"},
    {"two_families_forgets_meetings", "meet_as_a(1), meet_as_a(1) | meet_as_b(1), meet_as_b(1)", "no synchronisation"},
    {"one_family_asks_first_only", "meet(1), meet(1), meet(1) | meet(2), meet(2) | meet(3), meet(3)", "for ever"},
    {"one_family_forgets_meetings", "meet(1), meet(1) | meet(2), meet(2)", "no synchronisation"},
    {"abc_frees_own_place", "sync_a(1), sync_a(2) | sync_b(11) | sync_c(21) | sync_b(12)", "synchronis"},
    {"abc_wakes_one", "sync_a(1) | sync_b(11) | sync_c(21)", "never returns"},
    {"barrier_releases_early", "sync | sync | sync", "no synchronisation"},
    {"barrier_no_generation", "sync, sync | sync, sync | sync, sync", "ever"},
    {"counting_abc_counts_leaving", "sync_a(1) | sync_b(11) | sync_c(21)", "no synchronisation"},
    {"counting_abc_frees_own_place", "sync_a(1), sync_a(2) | sync_b(11) | sync_c(21) | sync_b(12)", "synchronis"},
    {"counting_abc_wakes_one", "sync_a(1) | sync_b(11) | sync_c(21)", "never returns"},
    {"counting_barrier_read_late", "sync | sync, sync | sync, sync | sync", "no synchronisation"},
    {"counting_barrier_releases_early", "sync | sync | sync", "no synchronisation"},
    {"counting_barrier_no_generation", "sync, sync | sync, sync | sync, sync", "ever"},
    {"timeout_channel_believes_timeout", "send(1) | receive", "no synchronisation"},
    {"timeout_channel_leaves_offer", "send(1) | receive", "no synchronisation"},
    {"timeout_exchanger_leaves_offer", "exchange(1) | exchange(2)", "no synchronisation"},
    {"timeout_exchanger_believes_timeout", "exchange(1) | exchange(2)", "no synchronisation"},
    {"terminating_queue_counts_first", "enqueue(1), dequeue | dequeue | dequeue", "no synchronisation"},
    {"terminating_queue_wakes_one", "dequeue | dequeue | dequeue", "never returns"},
    {"closeable_channel_says_closed", "send(1) | receive | close", "no synchronisation"},
    {"closeable_channel_wakes_one", "send(1) | send(2) | close", "for ever"},
    {"enrollable_barrier_resigns_silently", nullptr, "for ever"},
    {"enrollable_barrier_ignores_newcomer", nullptr, "no synchronisation"},
    {"spinning_exchanger_diverges", "exchange(1)", "spins for ever"},
};

class Synchronisation : public ::testing::Test {
 protected:
  Outcome controlled(const std::string& arguments) {
    return run(std::string(MUSTER_SYNCHRONISATION_CHECKS) + " --folder " + folder_.path("saved") + " " + arguments);
  }
  Outcome stressed(const std::string& arguments) { return run(std::string(MUSTER_STRESS_CHECKS) + " " + arguments); }
  static std::string matrices(const std::vector<const char*>& tests) {
    std::string text;
    for (const char* test : tests) text += std::string(" --matrix '") + test + "'";
    return text;
  }
  TemporaryFolder folder_;
};

TEST_F(Synchronisation, CorrectObjectsPassExhaustively) {
  for (const Subject& subject : correct) {
    // The standard library's barriers spin a lot before they sleep.
    const bool spins = std::string_view(subject.name).starts_with("standard_");
    const std::string bound = spins && !full_run() ? " --bound 1" : "";
    const Outcome outcome = controlled(subject.name + matrices(subject.tests) + bound + " --require-exhausted");
    EXPECT_EQ(outcome.code, 0) << subject.name << "\n" << outcome.out;
  }
}

TEST_F(Synchronisation, EveryBrokenTwinIsFound) {
  // Reading debug information for the report is most of the time: a slice looks at every third.
  std::size_t number = 0;
  for (const Twin& twin : broken) {
    if (number++ % 3 != 0 && !full_run()) continue;
    const std::string test = twin.test ? matrices({twin.test}) : "";
    const Outcome outcome = controlled(twin.name + test + " --minimise 0");
    EXPECT_EQ(outcome.code, 1) << twin.name << "\n" << outcome.out;
    EXPECT_TRUE(says(outcome, twin.kind)) << twin.name << "\n" << outcome.out;
  }
}

TEST_F(Synchronisation, TheTwoStepJudgeFindsTheSameFaults) {
  EXPECT_EQ(controlled("semaphore_channel_no_reply --judge two-step --minimise 0 --matrix 'send(1) | receive'").code,
            1);
  EXPECT_EQ(controlled(
                "exchanger_third_enters --judge search --minimise 0 --matrix 'exchange(1) | exchange(2) | exchange(3)'")
                .code,
            1);
  EXPECT_EQ(controlled("channel --judge two-step --matrix 'send(1) | send(2) | receive'").code, 0);
}

TEST_F(Synchronisation, AFailureIsMadeSmallAndReplayed) {
  const Outcome outcome = controlled("exchanger_third_enters");
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_TRUE(says(outcome, "exchange(")) << outcome.out;
  const Outcome replayed = controlled("--replay exchanger_third_enters-1");
  EXPECT_EQ(replayed.code, 1) << replayed.out;
}

TEST_F(Synchronisation, WaitingWhereNobodyCouldComeIsAllowedAndSpinningToo) {
  EXPECT_EQ(controlled("channel --matrix 'send(1) | send(2)'").code, 0);
  EXPECT_EQ(controlled("spinning_exchanger --matrix 'exchange(1)'").code, 0);
}

TEST_F(Synchronisation, AnArityLargerThanTheThreadsIsAWarning) {
  const Outcome outcome = controlled("barrier --matrix 'sync | sync'");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_TRUE(says(outcome, "takes 3 participants, and the test has 2 threads")) << outcome.out;
  // A barrier that lets go too early is found just so.
  EXPECT_EQ(controlled("barrier_releases_early --matrix 'sync | sync'").code, 1);
}

TEST_F(Synchronisation, CorrectObjectsPassOnRealThreads) {
  const std::string runs = " --runs " + std::to_string(cases(20, 5'000));
  for (const Subject& subject : correct) {
    const Outcome outcome = stressed(subject.name + matrices(subject.tests) + runs);
    EXPECT_EQ(outcome.code, 0) << subject.name << "\n" << outcome.out;
    EXPECT_TRUE(says(outcome, "Stress mode")) << outcome.out;
  }
}

TEST_F(Synchronisation, FaultsShowOnRealThreadsToo) {
  const Outcome early = stressed("barrier_releases_early --matrix 'sync | sync | sync' --runs 2000");
  EXPECT_EQ(early.code, 1) << early.out;
  const Outcome progress = stressed("abc_wakes_one --matrix 'sync_a(1) | sync_b(11) | sync_c(21)' --runs 2000");
  EXPECT_EQ(progress.code, 1) << progress.out;
  EXPECT_TRUE(says(progress, "never returns")) << progress.out;
  // The same, from an instrumented program.
  EXPECT_EQ(controlled("semaphore_channel_no_reply --stress --matrix 'send(1)' --runs 100").code, 1);
}

TEST_F(Synchronisation, ASpinningThreadOnRealThreadsIsOnlySuspected) {
  const Outcome outcome = stressed("spinning_exchanger_diverges --matrix 'exchange(1)' --runs 1 --patience 0.2");
  EXPECT_EQ(outcome.code, 3) << outcome.out;
  EXPECT_TRUE(says(outcome, "Suspected")) << outcome.out;
}

}  // namespace
}  // namespace muster::test
