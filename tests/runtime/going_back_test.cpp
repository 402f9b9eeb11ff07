// A search that goes back to saved points finds what one that begins every execution at its start finds: the same
// executions, steps, histories and verdicts.

#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <string>
#include <tuple>
#include <vector>

#include "support/command.hpp"
#include "support/property.hpp"
#include "support/subjects.hpp"

namespace muster {
namespace {

std::string without_times(const std::string& text) {
  // What is estimated of other searches depends on how many executions began at their start.
  const std::string exact = std::regex_replace(text, std::regex("     Likely next: [^\\n]*\\n"), "");
  return std::regex_replace(exact, std::regex("[0-9.]+ s( CPU)?"), "T");
}

std::string explore(const std::string& program, const std::string& arguments, const std::string& how) {
  const test::TemporaryFolder folder;
  return without_times(test::run("cd " + folder.path("") + " && " + MUSTER_SUBJECTS + "/" + program + " " + arguments +
                                 " --folder saved " + how)
                           .out);
}

void expect_same(const std::string& program, const std::string& arguments) {
  const std::string back = explore(program, arguments, "");
  EXPECT_NE(back.find(" executions"), std::string::npos) << back;
  EXPECT_EQ(back, explore(program, arguments, "--from-start")) << program << " " << arguments;
}

TEST(GoingBack, FindsWhatStartingAgainFindsInEverySubject) {
  std::map<std::tuple<std::string, std::string, std::string>, std::string> groups;
  const std::size_t every = test::full_run() ? 1 : 3;
  const std::vector<test::Subject> subjects = test::subjects();
  for (std::size_t i = 0; i < subjects.size(); i += every) {
    const test::Subject& s = subjects[i];
    if (s.execution_count() > test::cases(1'000, 1'000'000)) continue;
    if (s.verdict != "hang")
      groups[{s.folder, s.heap, s.flags}] += s.scenario + " ";  // whether it hangs is a matter of time
  }
  EXPECT_GE(groups.size(), test::full_run() ? 5u : 3u);
  for (const auto& [how, scenarios] : groups) {
    const auto& [folder, heap, flags] = how;
    expect_same("subjects_" + folder, scenarios + "--keep-going --heap " + heap + " " + flags);
  }
}

TEST(GoingBack, FindsWhatStartingAgainFindsUnderOtherBoundsAndHeaps) {
  expect_same("subjects_correct", "michael_scott_queue uncaught_exception thread_local_order pthread_keys --bound 3");
  expect_same("subjects_correct", "shared_ptr_race hand_over_hand_list treiber_use_after_free --heap reuse");
  expect_same("subjects_correct", "producer_consumer treiber_aba --no-races");
  expect_same("subjects_libraries",
              "std_promise std_async std_jthread std_stop_callback std_barrier boost_lockfree_stack --spurious 1");
}

TEST(GoingBack, FindsWhatStartingAgainFindsInChecks) {
  expect_same("subjects_checks", "--tests 2 --size 2x2 --keep-going");
  expect_same("subjects_checks", "treiber_stack tbb_concurrent_queue --tests 1 --size 2x3 --heap shared-reuse");
}

/// Serial ones: with declared answers, operations that take effect later, and threads of the object's own.
TEST(GoingBack, FindsWhatStartingAgainFindsInSerialExecutions) {
  const std::string serial = " --tests 3 --size 2x2 --bound 0 --keep-going";
  expect_same("subjects_lineup",
              "blocking_collection_declared blocking_collection_k_declared barrier_declared" + serial);
  expect_same("subjects_lineup", "task_completion_source semaphore_slim manual_reset_event counter1" + serial);
  expect_same("subjects_lineup", "thread_pool thread_pool_drained --tests 1 --size 2x1 --bound 0 --keep-going");
}

TEST(GoingBack, FindsWhatStartingAgainFindsUnderReduction) {
  expect_same("subjects_checks", "timed_gate --tests 2 --size 2x2 --keep-going --unbounded");
  expect_same("subjects_checks",
              "treiber_stack --tests 2 --size 2x3 --unbounded --symmetry threads --heap shared-reuse");
  expect_same("subjects_checks", "treiber_stack bounded --tests 2 --size 2x2 --strategy dpor --bound 2");
  // Pushes that fail write again: whether that left anything behind is looked at by executions of their own.
  expect_same("subjects_checks", "treiber_stack --tests 4 --size 2x4 --unbounded");
  expect_same("subjects_correct", "michael_scott_queue producer_consumer timed_wait shared_ptr_race --unbounded");
}

}  // namespace
}  // namespace muster
