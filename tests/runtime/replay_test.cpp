// Schedules drawn at random by every random strategy, printed, parsed and run again, must show every event again: one
// subject for each kind of ending, on both kinds of threads.

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "support/command.hpp"

namespace muster {
namespace {

struct ReplayedSubject {
  const char* folder;
  const char* scenario;
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

class Replay : public testing::TestWithParam<ReplayedSubject> {};

std::string verify(const ReplayedSubject& subject, const std::string& threads, int schedules) {
  const test::Outcome outcome =
      test::run("MUSTER_THREADS=" + threads + " " + std::string(MUSTER_SUBJECTS) + "/subjects_" + subject.folder + " " +
                subject.scenario + " --verify-replay " + std::to_string(schedules));
  EXPECT_EQ(outcome.code, 0);
  return outcome.out;
}

TEST_P(Replay, AThousandRandomSchedulesRunTheSameWayAgain) {
  EXPECT_EQ(verify(GetParam(), "fiber", 1000),
            std::string(GetParam().scenario) + ": 1,000 schedules drawn, every one ran the same way again\n");
}

TEST_P(Replay, AlsoOnKernelThreads) {
  EXPECT_EQ(verify(GetParam(), "kernel", 50),
            std::string(GetParam().scenario) + ": 50 schedules drawn, every one ran the same way again\n");
}

INSTANTIATE_TEST_SUITE_P(All, Replay,
                         testing::Values(ReplayedSubject{"correct", "michael_scott_queue"},
                                         ReplayedSubject{"correct", "thread_pool_shutdown"},
                                         ReplayedSubject{"correct", "producer_consumer"},
                                         ReplayedSubject{"broken", "treiber_use_after_free"},
                                         ReplayedSubject{"broken", "lock_order"}, ReplayedSubject{"broken", "livelock"},
                                         ReplayedSubject{"broken", "uncaught_exception"},
                                         ReplayedSubject{"broken", "leak"}, ReplayedSubject{"libraries", "std_barrier"},
                                         ReplayedSubject{"libraries", "tbb_concurrent_queue"},
                                         ReplayedSubject{"libraries", "moodycamel_concurrent_queue"},
                                         ReplayedSubject{"libraries", "std_counting_semaphore"}),
                         [](const auto& info) { return std::string(info.param.scenario); });

// ---- every strategy, every kind of finding ----

struct Broken {
  const char* scenario;
  const char* says;  // a word of the finding
  const char* flags = "";
};

class Finding : public testing::TestWithParam<std::tuple<const char*, Broken>> {};

TEST_P(Finding, IsReplayedFromWhatWasSaved) {
  const auto& [strategy, broken] = GetParam();
  const test::TemporaryFolder folder;
  const std::string program = std::string(MUSTER_SUBJECTS) + "/subjects_broken ";
  const std::string common = std::string(" --folder ") + folder.path("saved") + " " + broken.flags;
  const test::Outcome found =
      test::run(program + broken.scenario + " --strategy " + strategy + " --executions 20000 --seed 7" + common);
  ASSERT_NE(found.out.find(broken.says), std::string::npos) << found.out;
  ASSERT_NE(found.out.find("--replay"), std::string::npos) << found.out;
  const test::Outcome again = test::run(program + "--replay " + broken.scenario + "-1" + common);
  EXPECT_EQ(again.code, found.code);
  EXPECT_EQ(first_line(again.out), first_line(found.out));
}

INSTANTIATE_TEST_SUITE_P(
    All, Finding,
    testing::Combine(
        testing::Values("dfs", "random", "pct", "pos"),
        testing::Values(Broken{"lost_update", "requirement"}, Broken{"uncaught_exception", "exception"},
                        Broken{"segfault", "crashes"}, Broken{"abort", "aborts"}, Broken{"lock_order", "deadlock"},
                        Broken{"livelock", "livelock", "--depth 20 --bound 3"}, Broken{"relaxed_publication", "race"},
                        Broken{"treiber_use_after_free", "use after free"}, Broken{"double_free", "a second time"},
                        Broken{"invalid_free", "free of an address"}, Broken{"leak", "leak"},
                        Broken{"infinite_loop", "hang", "--hang 0.5"})),
    [](const auto& info) { return std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param).scenario; });

}  // namespace
}  // namespace muster
