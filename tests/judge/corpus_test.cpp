// Every known verdict of the shared histories, by the automatic choice and by the general search alone.

#include "support/corpus.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "history/read.hpp"
#include "judge/core/linearizability.hpp"
#include "spec/builtin.hpp"
#include "support/property.hpp"

namespace muster {
namespace {

struct Known {
  std::string file, spec, verdict;
};

std::vector<Known> known_verdicts(const std::filesystem::path& folder) {
  std::ifstream in(folder / "VERDICTS.tsv");
  std::vector<Known> all;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream words(line);
    Known known;
    words >> known.file >> known.spec >> known.verdict;
    all.push_back(known);
  }
  return all;
}

std::string_view word(const Verdict& verdict) {
  return passes(verdict) ? "linearizable" : fails(verdict) ? "not-linearizable" : "undecided";
}

void compare(const std::filesystem::path& folder, const JudgeOptions& options, bool must_end) {
  std::size_t undecided = 0, newly_decided = 0;
  for (const Known& known : known_verdicts(folder)) {
    History history = read_history((folder / known.file).string());
    const SpecPtr spec = spec_for(history, known.spec);
    const Verdict verdict = judge_linearizability(history, *spec, options);
    if (known.verdict == "undecided") {
      newly_decided += !is_undecided(verdict);
      continue;
    }
    if (is_undecided(verdict) && !must_end) {
      ++undecided;
      continue;
    }
    EXPECT_EQ(word(verdict), known.verdict) << known.file;
    if (options.explain && passes(verdict)) {
      EXPECT_TRUE(is_witness(history, *spec, std::get<Witness>(verdict).order)) << known.file;
    }
  }
  testing::Test::RecordProperty("undecided", static_cast<int>(undecided));
  testing::Test::RecordProperty("newly_decided", static_cast<int>(newly_decided));
  std::cout << undecided << " decided verdicts not reached, " << newly_decided << " undecided ones decided\n";
}

TEST(Corpus, TheAutomaticChoiceMatchesEveryKnownVerdict) {
  MUSTER_CORPUS_OR_SKIP(corpus);
  compare(corpus / "histories", {.time = std::chrono::seconds(60)}, true);
}

TEST(Corpus, TheGeneralSearchAloneNeverContradictsAKnownVerdict) {
  MUSTER_CORPUS_OR_SKIP(corpus);
  const auto limit = std::chrono::milliseconds(test::cases(100, 60'000));
  compare(corpus / "histories", {.monitors = false, .explain = true, .time = limit}, false);
}

TEST(Corpus, WithoutSplittingByKeyTheSearchStillEnds) {
  MUSTER_CORPUS_OR_SKIP(corpus);
  History history = read_history((corpus / "histories/porcupine/kv/c10-ok.txt").string());
  const SpecPtr spec = spec_for(history, "kv");
  EXPECT_TRUE(passes(judge_linearizability(history, *spec, {.split = false, .time = std::chrono::seconds(20)})));
}

}  // namespace
}  // namespace muster
