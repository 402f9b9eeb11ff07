// Late yields find no history of oneTBB's queue that is not found without them. The search with them begins with the
// one without, so that equal numbers of histories mean equal sets.

#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "support/command.hpp"
#include "support/property.hpp"

namespace muster {
namespace {

struct Covered {
  std::string executions, histories;
};

Covered explore(const std::string& matrix, const char* late_yields) {
  const test::TemporaryFolder folder;
  const std::string out = test::run("cd " + folder.path("") + " && " + MUSTER_SUBJECTS +
                                    "/subjects_checks tbb_concurrent_queue --strategy dfs --bound 2 --matrix '" +
                                    matrix + "' --late-yields " + late_yields)
                              .out;
  std::smatch found;
  EXPECT_TRUE(std::regex_search(out, found, std::regex("PASS .* ([0-9,]+) executions,? .* ([0-9,]+) histories")))
      << out;
  return found.empty() ? Covered{} : Covered{found[1], found[2]};
}

TEST(LateYields, AddNoHistoriesToTheQueueOfTbb) {
  const std::string matrix = test::full_run()
                                 ? "push(1), push(2), try_pop | try_pop, push(1), try_pop | push(2), try_pop, try_pop"
                                 : "push(1), try_pop | try_pop | push(2)";
  const Covered without = explore(matrix, "0"), with = explore(matrix, "1");
  EXPECT_FALSE(without.histories.empty());
  EXPECT_EQ(without.histories, with.histories);
  EXPECT_NE(without.executions, with.executions);
}

}  // namespace
}  // namespace muster
