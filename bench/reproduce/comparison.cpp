// The comparison of section 5.6 of "Line-Up: a complete and automatic linearizability checker" (PLDI 2010): races,
// violations of conflict serializability and failures of linearizability side by side, over the classes of its Table 2.
// A violation of conflict serializability is counted where an execution showed it: predicted from one without
// preemptions, then re-executed. It is a false alarm if a serial order explains the history of that execution.
//
//   reproduce_comparison [--tests N] [--csv FILE]

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "command.hpp"

namespace {

using namespace reproduce;

struct Row {
  const char* title;
  const char* check;
  bool correct;  // no fault is known in it
};

constexpr Row rows[] = {
    {"Lazy Initialization", "lazy_initialization", true},
    {"ManualResetEvent (Pre)", "manual_reset_event_pre", false},
    {"ManualResetEvent", "manual_reset_event", true},
    {"SemaphoreSlim", "semaphore_slim", true},
    {"CountdownEvent", "countdown_event", true},
    {"ConcurrentDictionary", "concurrent_dictionary", true},
    {"ConcurrentQueue (Pre)", "concurrent_queue_pre", false},
    {"ConcurrentQueue", "concurrent_queue", true},
    {"ConcurrentLinkedList (Pre)", "concurrent_linked_list_pre", false},
    {"ConcurrentStack", "concurrent_stack", true},
    {"BlockingCollection (Pre)", "blocking_collection_pre", false},
    {"BlockingCollection", "blocking_collection", false},
    {"ConcurrentBag (Pre)", "concurrent_bag_pre", false},
    {"ConcurrentBag", "concurrent_bag", false},
    {"TaskCompletionSource (Pre)", "task_completion_source_pre", false},
    {"TaskCompletionSource", "task_completion_source", false},
    {"CancellationTokenSource", "cancellation_token_source", true},
    {"Barrier", "barrier", false},
};

struct Figures {
  std::size_t races = 0, violations = 0, explained = 0, failures = 0;
};

/// The texts of the tests that a check would run: "NAME i: TEXT" lines.
std::vector<std::string> tests_of(const std::string& listed) {
  std::vector<std::string> tests;
  std::istringstream lines(listed);
  for (std::string line; std::getline(lines, line);) {
    if (const auto colon = line.find(": "); colon != std::string::npos) tests.push_back(line.substr(colon + 2));
  }
  return tests;
}

Figures measure(const Row& row, unsigned tests, const std::filesystem::path& folder) {
  Figures figures;
  const std::string checks = MUSTER_LINEUP_CHECKS, muster = MUSTER_COMMAND,
                    in_folder = "cd " + folder.string() + " && ";
  const std::string chosen =
      fmt::format("{} {} --strategy dfs --size 2x2 --tests uniform:{}", checks, row.check, tests);
  const std::string checked =
      output_of(in_folder + chosen + " --all-tests --minimise 0 --summary figures.csv --folder saved 2>/dev/null");
  figures.races = count(checked, ": race: ");
  for (const std::string& test : tests_of(output_of(in_folder + chosen + " --list-tests"))) {
    const std::string matrix = " --matrix '" + test + "'";
    const std::string verdict =
        output_of(in_folder + checks + " " + row.check + matrix + " --minimise 0 --folder saved2 2>/dev/null");
    figures.failures += count(verdict, "FAIL ") > count(verdict, ": race: ");
    output_of(in_folder + "MUSTER_RECORD=t.trace MUSTER_SERIAL=1 " + checks + " " + row.check + matrix +
              " 2>/dev/null");
    const std::string confirmed =
        output_of(in_folder + muster + " predict t.trace --all --confirm " + checks + " 2>/dev/null");
    const std::size_t seen = count(confirmed, "CONFIRMED");
    figures.violations += seen;
    figures.explained += seen - count(confirmed, "history that no serial order explains");
  }
  return figures;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Races, serializability and linearizability side by side (Line-Up, section 5.6)"};
  unsigned tests = 5;
  std::string csv;
  app.add_option("--tests", tests, "Random tests of 2x2 for each class")->capture_default_str();
  app.add_option("--csv", csv, "Write the table to this file too");
  CLI11_PARSE(app, argc, argv);
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("muster-comparison-{}", getpid());
  std::ofstream file(csv);
  file << "class,tests,races,serializability_violations,explained,linearizability_failures\n";
  fmt::print("{:<27} {:>6} {:>16} {:>13} {:>15}\n", "class", "races", "serializability", "of it false",
             "linearizability");
  Figures sum, correct;
  for (const Row& row : rows) {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const Figures f = measure(row, tests, folder);
    fmt::print("{:<27} {:>6} {:>16} {:>13} {:>15}\n", row.title, f.races, f.violations, f.explained, f.failures);
    std::fflush(stdout);
    file << fmt::format("{},{},{},{},{},{}\n", row.title, tests, f.races, f.violations, f.explained, f.failures);
    for (Figures* to : {&sum, row.correct ? &correct : nullptr}) {
      if (!to) continue;
      to->races += f.races;
      to->violations += f.violations;
      to->explained += f.explained;
      to->failures += f.failures;
    }
  }
  std::filesystem::remove_all(folder);
  fmt::print("{:<27} {:>6} {:>16} {:>13} {:>15}\n", "all", sum.races, sum.violations, sum.explained, sum.failures);
  fmt::print("{:<27} {:>6} {:>16} {:>13} {:>15}\n", "classes without a fault", correct.races, correct.violations,
             correct.explained, correct.failures);
  fmt::print(
      "\n{} random tests of 2x2 each. A violation of conflict serializability is one that a re-execution showed; it is "
      "false if a serial order\n"
      "explains the history of that execution. Linearizability: tests that fail. On classes without a fault the first "
      "two are false alarms.\n",
      tests);
}
