// Schedules drawn at random by every random strategy, printed, parsed and run again, must show every event again: one subject for each kind
// of ending, on both kinds of threads.

#include <gtest/gtest.h>

#include <string>

#include "support/command.hpp"

namespace muster {
namespace {

struct Subject {
  const char* folder;
  const char* scenario;
};

class Replay : public testing::TestWithParam<Subject> {};

std::string verify(const Subject& subject, const std::string& threads, int schedules) {
  const test::Outcome outcome = test::run("MUSTER_THREADS=" + threads + " " + std::string(MUSTER_SUBJECTS) + "/subjects_" + subject.folder + " " +
                                          subject.scenario + " --verify-replay " + std::to_string(schedules));
  EXPECT_EQ(outcome.code, 0);
  return outcome.out;
}

TEST_P(Replay, AThousandRandomSchedulesRunTheSameWayAgain) {
  EXPECT_EQ(verify(GetParam(), "fiber", 1000), std::string(GetParam().scenario) + ": 1,000 schedules drawn, every one ran the same way again\n");
}

TEST_P(Replay, AlsoOnKernelThreads) {
  EXPECT_EQ(verify(GetParam(), "kernel", 50), std::string(GetParam().scenario) + ": 50 schedules drawn, every one ran the same way again\n");
}

INSTANTIATE_TEST_SUITE_P(All, Replay,
                         testing::Values(Subject{"correct", "michael_scott_queue"}, Subject{"correct", "thread_pool_shutdown"},
                                         Subject{"correct", "producer_consumer"}, Subject{"broken", "treiber_use_after_free"},
                                         Subject{"broken", "lock_order"}, Subject{"broken", "livelock"}, Subject{"broken", "uncaught_exception"},
                                         Subject{"broken", "leak"}, Subject{"libraries", "std_barrier"}, Subject{"libraries", "tbb_concurrent_queue"},
                                         Subject{"libraries", "moodycamel_concurrent_queue"}, Subject{"libraries", "std_counting_semaphore"}),
                         [](const auto& info) { return std::string(info.param.scenario); });

}  // namespace
}  // namespace muster
