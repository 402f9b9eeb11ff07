// Runs every subject as a user would and compares verdict and number of executions with tests/subjects/EXPECTED.tsv.
// Every finding must replay. All of it on fibers and on kernel threads.

#include "support/subjects.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "support/command.hpp"
#include "support/property.hpp"

namespace muster {
namespace {

namespace fs = std::filesystem;
using test::Outcome;
using test::Subject;

struct Case {
  Subject subject;
  std::string threads;  // fiber or kernel
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Subject& s : test::subjects()) {
    all.push_back({s, "fiber"});
    // A switch between kernel threads costs a hundred times as much: the largest searches run on fibers only, and a
    // third of the others unless all cases are asked for.
    const bool large = s.execution_count() > test::cases(2'000, 100'000);
    if (!large && (test::full_run() || all.size() % 3 == 0)) all.push_back({s, "kernel"});
  }
  return all;
}

class SubjectTest : public testing::TestWithParam<Case> {
 protected:
  Outcome run(const std::string& arguments) {
    const Subject& s = GetParam().subject;
    return test::run("MUSTER_THREADS=" + GetParam().threads + " " + std::string(MUSTER_SUBJECTS) + "/subjects_" +
                     s.folder + " --hang 2 --heap " + s.heap + " --folder " + saved() + " " + s.flags + " " +
                     arguments);
  }

  std::string kind_of(const fs::path& saved_failure) const {
    std::ifstream file(saved_failure);
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("kind: ")) return line.substr(6);
    }
    return {};
  }

  /// The kinds of what was saved.
  std::vector<std::string> kinds() const {
    std::vector<std::string> found;
    if (!fs::exists(saved())) return found;
    for (const auto& entry : fs::directory_iterator(saved())) found.push_back(kind_of(entry.path()));
    return found;
  }

  bool expected(const std::string& kind) const {
    return ("|" + GetParam().subject.verdict + "|").find("|" + kind + "|") != std::string::npos;
  }

  /// What was saved: of subjects with very many races some are enough, unless all cases are asked for.
  std::vector<std::string> replayed() const {
    std::vector<std::string> ids;
    for (const auto& entry : fs::directory_iterator(saved())) ids.push_back(entry.path().filename());
    std::sort(ids.begin(), ids.end());
    if (!test::full_run() && ids.size() > 8) ids.resize(8);
    return ids;
  }

  /// What is not watched may order two accesses: that is no proof.
  static int code_of_finding(const std::string& kind) { return kind == "possible-race" ? 3 : 1; }

  std::string saved() const { return folder_.path("saved"); }

  test::TemporaryFolder folder_;
};

TEST_P(SubjectTest, HasItsVerdictAndReplays) {
  const Subject& s = GetParam().subject;
  const Outcome first = run(s.scenario + " --strategy dfs");
  if (s.verdict == "pass") {
    EXPECT_EQ(first.code, 0) << first.out;
  } else if (s.verdict == "hang") {
    EXPECT_EQ(first.code, 3) << first.out;
  } else {
    EXPECT_EQ(first.code, code_of_finding(s.verdict)) << first.out;
    bool seen = false;
    for (const std::string& kind : kinds()) seen |= expected(kind);
    EXPECT_TRUE(seen) << "no finding of kind " << s.verdict << "\n" << first.out;
  }
  if (s.executions != "-") {
    EXPECT_NE(first.out.find(" " + s.executions + " execution"), std::string::npos) << first.out;
  }
  if (s.verdict == "pass" || s.verdict == "hang") return;
  for (const std::string& id : replayed()) {
    const Outcome again = run("--replay " + id);
    EXPECT_EQ(again.code, code_of_finding(kind_of(fs::path(saved()) / id))) << "replay of " << id << "\n" << again.out;
    EXPECT_EQ(again.out.find("not reproducible"), std::string::npos) << again.out;
  }
}

/// One in so many, by its letters: all of them only where there is time.
bool is_in_slice(const std::string& name) {
  constexpr int slices = 6;
  return test::full_run() || std::accumulate(name.begin(), name.end(), 0) % slices == 0;
}

/// The default search, whose executions are not counted here.
TEST_P(SubjectTest, HasItsVerdictByDefault) {
  const Subject& s = GetParam().subject;
  if (GetParam().threads == "kernel" || s.verdict == "hang" || !is_in_slice(s.scenario)) return;
  const Outcome outcome = run(s.scenario);
  if (s.verdict == "pass") {
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    return;
  }
  EXPECT_EQ(outcome.code, code_of_finding(s.verdict)) << outcome.out;
  bool seen = false;
  for (const std::string& kind : kinds()) seen |= expected(kind);
  EXPECT_TRUE(seen) << "no finding of kind " << s.verdict << "\n" << outcome.out;
}

INSTANTIATE_TEST_SUITE_P(All, SubjectTest, testing::ValuesIn(cases()), [](const auto& info) {
  return info.param.subject.folder + "_" + info.param.subject.scenario + "_" + info.param.threads;
});

}  // namespace
}  // namespace muster
