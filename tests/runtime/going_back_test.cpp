// A search that goes back to saved points finds what one that begins every execution at its start finds: the same executions, steps,
// histories and verdicts.

#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "support/command.hpp"
#include "support/property.hpp"

namespace muster {
namespace {

struct Search {
  const char* program;
  const char* arguments;
};

class GoingBack : public testing::TestWithParam<Search> {};

std::string without_times(const std::string& text) { return std::regex_replace(text, std::regex("[0-9.]+ s( CPU)?"), "T"); }

std::string explore(const Search& search, const std::string& how) {
  const test::TemporaryFolder folder;
  const std::string program = std::string(MUSTER_SUBJECTS) + "/" + search.program;
  return without_times(test::run("cd " + folder.path("") + " && " + program + " " + search.arguments + " --folder saved " + how).out);
}

TEST_P(GoingBack, FindsWhatStartingAgainFinds) { EXPECT_EQ(explore(GetParam(), ""), explore(GetParam(), "--from-start")); }

INSTANTIATE_TEST_SUITE_P(
    All, GoingBack,
    testing::Values(Search{"subjects_correct", "pipe_message memory_of_the_c_library notes_outside_control"},
                    Search{"subjects_correct", "michael_scott_queue --bound 3"}, Search{"subjects_correct", "thread_pool_shutdown producer_consumer timed_wait"},
                    Search{"subjects_correct", "treiber_aba --heap shared-reuse"}, Search{"subjects_correct", "shared_ptr_race hand_over_hand_list --heap reuse"},
                    Search{"subjects_correct", "uncaught_exception thread_local_order pthread_keys --bound 3"},
                    Search{"subjects_broken", "--keep-going treiber_use_after_free lock_order lost_update missed_notification"},
                    Search{"subjects_libraries", "std_counting_semaphore tbb_concurrent_queue moodycamel_concurrent_queue std_shared_mutex"},
                    Search{"subjects_libraries", "std_promise std_async std_jthread std_stop_callback std_barrier boost_lockfree_stack --spurious 1"}),
    [](const auto& info) { return "Search" + std::to_string(info.index); });

}  // namespace
}  // namespace muster
