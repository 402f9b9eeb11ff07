// Traces that nobody here wrote, with their known results.

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "predict/predict.hpp"
#include "support/corpus.hpp"

namespace muster::predict {
namespace {

Report predict_file(const std::filesystem::path& path, PredictOptions options = {}) {
  const auto reader = trace::open_trace(path);
  return predict(*reader, options);
}

TEST(Example, TheDepositOfTheDocumentationIsCertified) {
  const Report report =
      predict_file(std::filesystem::path(MUSTER_SOURCE_DIR) / "examples/10-prediction/deposit.std", {.plans = 1});
  ASSERT_EQ(report.groups.size(), 1u);
  EXPECT_EQ(report.groups[0].grade, Grade::certified);
  EXPECT_EQ(to_text(*report.groups[0].plan),
            "# read-write-write on balance\n@fork A main 0 bank.cpp:9\n@fork B main 1 bank.cpp:10\n@access A 2 read "
            "bank.cpp:22\n"
            "@access B 2 write bank.cpp:42\n@access A 5 write bank.cpp:26\n"
            "main 2 bank.cpp:10\nA 4 bank.cpp:23\nB 4 bank.cpp:43\nA 6 bank.cpp:26\n");
}

TEST(Corpus, BankInitGivesTheKnownPairsAndNoInfeasibleOnes) {
  MUSTER_CORPUS_OR_SKIP(corpus);
  const Report report = predict_file(corpus / "traces/recorded/bank_init.std", {.plans = ~std::size_t{0}});
  EXPECT_EQ(report.events, 32538u);
  EXPECT_EQ(report.write_read_write, 87u);
  EXPECT_EQ(report.access_write_access, 96u);
  EXPECT_EQ(report.violation_count, 0u);
  EXPECT_FALSE(report.stopped);
  for (const GradedGroup& graded : report.groups) EXPECT_NE(graded.grade, Grade::unscheduled);
}

TEST(Corpus, SyntheticRunsAreSerializable) {
  MUSTER_CORPUS_OR_SKIP(corpus);
  for (const char* name : {"tsp100K_serial.std", "elev78K.std"}) {
    const Report report = predict_file(corpus / "traces/synthetic" / name, {.plans = 50});
    EXPECT_EQ(report.violation_count, 0u) << name;
    EXPECT_FALSE(report.stopped) << name;
    for (std::size_t i = 0; i < 50; ++i) EXPECT_NE(report.groups.at(i).grade, Grade::unscheduled) << name << " " << i;
  }
}

TEST(Corpus, SpeedyGoTracesReadAndNoMoreRacesAreObservedThanAreThere) {
  MUSTER_CORPUS_OR_SKIP(corpus);
  const auto folder = corpus / "traces/speedygo";
  // "Test6 = 6 Races, …": races that some analysis predicts; the run itself shows at most these, by pairs of places.
  std::map<std::string, std::size_t> noted;
  std::ifstream notes(folder / "Notes.txt");
  for (std::string line; std::getline(notes, line);) {
    const std::size_t equals = line.find(" = ");
    if (equals != std::string::npos) noted[line.substr(0, equals) + ".log"] = std::stoul(line.substr(equals + 3));
  }
  int read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".log") continue;
    ++read;
    const Report report = predict_file(entry.path(), {.transactions = Transactions::whole_threads});
    EXPECT_FALSE(report.stopped) << *report.stopped;
    EXPECT_GT(report.events, 0u);
    if (const auto known = noted.find(entry.path().filename()); known != noted.end() && known->second == 0) {
      EXPECT_EQ(report.races.size(), 0u) << entry.path();
    }
  }
  EXPECT_EQ(read, 33);
}

}  // namespace
}  // namespace muster::predict
