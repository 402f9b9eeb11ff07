// Table 1 of "Meta-analysis for atomicity violations under nested locking" (Farzan, Madhusudan, Sorrentino, CAV 2009), from runs of the C++
// counterparts of its programs in tests/subjects/prediction: each recorded once, without preemptions, its violations predicted, and each
// prediction re-executed, which the paper left open.
//
//   reproduce_meta-analysis [--csv FILE]

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

constexpr Row rows[] = {{"elevator", ""},  {"tsp", ""},         {"raytracer", "2"}, {"raytracer", "4"},        {"raytracer", "8"},
                        {"crawler", ""},   {"synchronised_vector", ""},             {"synchronised_stack", ""}, {"bank", ""}};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Table 1 of the meta-analysis paper"};
  std::string csv;
  app.add_option("--csv", csv, "Write the table to this file too");
  CLI11_PARSE(app, argc, argv);
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / fmt::format("muster-meta-analysis-{}", getpid());
  std::filesystem::create_directories(folder);
  std::ofstream file(csv);
  file << "program,threads,variables,locks,events,transactions,write_read_write,access_write_access,predictions,confirmed,analysis_seconds,twin\n";
  fmt::print("{:<22} {:>7} {:>9} {:>5} {:>6} {:>12} {:>4} {:>4} {:>11} {:>9} {:>9} {:>5}\n", "program", "threads", "variables", "locks", "events", "transactions", "WRW", "AWA",
             "predictions", "confirmed", "analysis", "twin");
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
    const std::size_t twins = number_before(twin, " different places");
    fmt::print("{:<22} {:>7} {:>9} {:>5} {:>6} {:>12} {:>4} {:>4} {:>11} {:>9} {:>7.3f} s {:>5}\n", name, figure(" threads"), figure(" variables"), figure(" locks"), figure(" events"),
               figure(" transactions"), figure(" write-read-write"), figure(" access-write-access"), figure(" different places"), count(confirmed, "CONFIRMED"), seconds, twins);
    file << fmt::format("{},{},{},{},{},{},{},{},{},{},{:.4f},{}\n", name, figure(" threads"), figure(" variables"), figure(" locks"), figure(" events"), figure(" transactions"),
                        figure(" write-read-write"), figure(" access-write-access"), figure(" different places"), count(confirmed, "CONFIRMED"), seconds, twins);
  }
  std::filesystem::remove_all(folder);
  fmt::print("\nWRW, AWA: (thread, thread, variable) with a predicted write-read-write, or another pattern; predictions: by source location too;\n"
             "confirmed: seen in a re-execution; analysis: file to report; twin: predictions for the correctly locked program.\n");
}
