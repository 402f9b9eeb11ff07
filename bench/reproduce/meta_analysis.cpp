// Table 1 of "Meta-analysis for atomicity violations under nested locking" (Farzan, Madhusudan, Sorrentino, CAV 2009),
// from runs of the C++ counterparts of its programs in tests/subjects/prediction: each recorded once, without
// preemptions, its violations predicted, and each prediction re-executed, which the paper left open. Then what
// predictions are worth in a check.
//
//   reproduce_meta-analysis [--csv FILE] [--seeds N]

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "command.hpp"

namespace {

using namespace reproduce;
using Clock = std::chrono::steady_clock;

struct Row {
  const char* program;
  const char* arguments;
};

constexpr Row rows[] = {{"elevator", ""},   {"tsp", ""},     {"raytracer", "2"},          {"raytracer", "4"},
                        {"raytracer", "8"}, {"crawler", ""}, {"synchronised_vector", ""}, {"synchronised_stack", ""},
                        {"bank", ""}};

/// How many executions it took until a test failed, in the mean over seeds: steered by prediction, and by bounded
/// search alone.
struct Steered {
  const char* program;
  const char* check;
};
constexpr Steered steered[] = {
    {MUSTER_SMALL_CHECKS, "careless_seats"},        {MUSTER_SMALL_CHECKS, "careless_memo"},
    {MUSTER_SMALL_CHECKS, "careless_accounts"},     {MUSTER_SMALL_CHECKS, "careless_transfer"},
    {MUSTER_LINEUP_CHECKS, "concurrent_queue_pre"}, {MUSTER_LINEUP_CHECKS, "blocking_collection_pre"},
    {MUSTER_LINEUP_CHECKS, "concurrent_bag_pre"},   {MUSTER_LINEUP_CHECKS, "task_completion_source_pre"}};

struct FirstFailure {
  double executions = 0;  // of the failing test
  double all = 0;         // of all tests, serial ones included
  double found = 0;
};

FirstFailure first_failure(const Steered& row, const std::string& strategy, int seeds, const std::string& folder) {
  FirstFailure mean;
  for (int seed = 1; seed <= seeds; ++seed) {
    std::filesystem::remove_all(folder + "/saved");
    const std::string said = output_of(
        fmt::format("cd {} && '{}' {} --strategy {} --seed {} --size 3x2 --minimise 0 --folder saved 2>/dev/null",
                    folder, row.program, row.check, strategy, seed));
    if (said.find(" fails after ") == std::string::npos) continue;
    mean.executions += static_cast<double>(number_before(said.substr(said.find(" fails after ")), " execution"));
    mean.all += static_cast<double>(number_before(said.substr(said.rfind("random tests of")), " execution"));
    ++mean.found;
  }
  if (mean.found > 0) {
    mean.executions /= mean.found;
    mean.all /= mean.found;
  }
  return mean;
}

void compare_strategies(int seeds, const std::string& folder) {
  fmt::print(
      "\nclasses with a fault: mean executions until a test fails, of that test, and of all tests up to then with "
      "their "
      "serial executions (random tests of 3x2, {} seeds)\n",
      seeds);
  fmt::print("{:<28} {:^27} {:^27}\n", "", "predict first", "bounded search");
  fmt::print("{:<28} {:>7} {:>9} {:>8}  {:>7} {:>9} {:>8}\n", "check", "found", "of test", "of all", "found", "of test",
             "of all");
  for (const Steered& row : steered) {
    const FirstFailure predicted = first_failure(row, "predict", seeds, folder),
                       searched = first_failure(row, "dfs", seeds, folder);
    const auto text = [&](const FirstFailure& f) {
      return fmt::format("{:>7} {:>9.1f} {:>8.0f}", fmt::format("{:.0f}/{}", f.found, seeds), f.executions, f.all);
    };
    fmt::print("{:<28} {}  {}\n", row.check, text(predicted), text(searched));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Table 1 of the meta-analysis paper"};
  std::string csv;
  int seeds = 10;
  app.add_option("--csv", csv, "Write the table to this file too");
  app.add_option("--seeds", seeds, "Trials with and without predictions")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("muster-meta-analysis-{}", getpid());
  std::filesystem::create_directories(folder);
  std::ofstream file(csv);
  file << "program,threads,variables,locks,events,transactions,write_read_write,access_write_access,predictions,"
          "confirmed,analysis_seconds,twin\n";
  fmt::print("{:<22} {:>7} {:>9} {:>5} {:>6} {:>12} {:>4} {:>4} {:>11} {:>9} {:>9} {:>5}\n", "program", "threads",
             "variables", "locks", "events", "transactions", "WRW", "AWA", "predictions", "confirmed", "analysis",
             "twin");
  for (const Row& row : rows) {
    const std::string program = std::string(MUSTER_PREDICTION_SUBJECTS) + "/" + row.program, muster = MUSTER_COMMAND;
    const std::string in_folder = "cd " + folder.string() + " && ";
    const auto record = [&](const std::string& arguments) {
      output_of(in_folder + muster + " record --serial -o t.trace -- " + program + " " + arguments + " 2>/dev/null");
    };
    record(std::string(row.arguments) + " correct");
    const std::string twin = output_of(in_folder + muster + " predict t.trace --all --every");
    record(row.arguments);
    const auto start = Clock::now();
    const std::string predicted = output_of(in_folder + muster + " predict t.trace --all --every");
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const std::string confirmed = output_of(in_folder + muster + " predict t.trace --all --every --confirm " + program);
    const auto figure = [&](const char* word) { return number_before(predicted, word); };
    const std::string name = std::string(row.program) + (*row.arguments ? " " : "") + row.arguments;
    const std::size_t twins = number_before(twin, " different place");
    fmt::print("{:<22} {:>7} {:>9} {:>5} {:>6} {:>12} {:>4} {:>4} {:>11} {:>9} {:>7.3f} s {:>5}\n", name,
               figure(" thread"), figure(" variable"), figure(" lock"), figure(" event"), figure(" transaction"),
               figure(" write-read-write"), figure(" access-write-access"), figure(" different place"),
               count(confirmed, "CONFIRMED"), seconds, twins);
    file << fmt::format("{},{},{},{},{},{},{},{},{},{},{:.4f},{}\n", name, figure(" thread"), figure(" variable"),
                        figure(" lock"), figure(" event"), figure(" transaction"), figure(" write-read-write"),
                        figure(" access-write-access"), figure(" different place"), count(confirmed, "CONFIRMED"),
                        seconds, twins);
  }
  fmt::print(
      "\nWRW, AWA: (thread, thread, variable) with a predicted write-read-write, or another pattern; predictions: by "
      "source location too;\n"
      "confirmed: seen in a re-execution; analysis: file to report; twin: predictions for the correctly locked "
      "program.\n");
  compare_strategies(seeds, folder);
  std::filesystem::remove_all(folder);
}
