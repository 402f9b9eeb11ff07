// Table 2 of "Line-Up: a complete and automatic linearizability checker" (Burckhardt, Dern, Musuvathi, Tan, PLDI 2010):
// 100 random tests of 3x3 for each of 18 classes, at the paper's preemption bounds, beside the paper's figures.
//
//   reproduce_lineup [--jobs N] [--tests N] [--test-budget 4s] [--csv FILE]
//
// The classes are the C++ counterparts in tests/subjects/lineup. Times are seconds here and minutes in the paper.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Row {
  const char* title;
  const char* check;
  unsigned bound;
  const char* causes;      // in the paper
  const char* dimension;   // of the smallest failing tests, in the paper
  unsigned average, most;  // serial histories, in the paper
  unsigned pass, fail;     // in the paper
  const char* minutes;     // passing / failing test, in the paper
};

constexpr Row rows[] = {
    {"Lazy Initialization", "lazy_initialization", 2, "", "", 60, 68, 100, 0, "9.7 / -"},
    {"ManualResetEvent (Pre)", "manual_reset_event_pre", 2, "A", "A 2x3", 828, 1680, 93, 7, "12.9 / 19.9"},
    {"ManualResetEvent", "manual_reset_event", 2, "", "", 76, 133, 100, 0, "170.5 / -"},
    {"SemaphoreSlim", "semaphore_slim", 1, "", "", 1511, 1680, 100, 0, "18.1 / -"},
    {"CountdownEvent", "countdown_event", 2, "", "", 410, 1680, 100, 0, "6.3 / -"},
    {"ConcurrentDictionary", "concurrent_dictionary", 1, "", "", 1678, 1680, 100, 0, "6.8 / -"},
    {"ConcurrentQueue (Pre)", "concurrent_queue_pre", 2, "B", "B 2x2", 1680, 1680, 43, 57, "33.8 / 5.7"},
    {"ConcurrentQueue", "concurrent_queue", 2, "", "", 1680, 1680, 100, 0, "33.7 / -"},
    {"ConcurrentLinkedList (Pre)", "concurrent_linked_list_pre", 1, "C", "C 2x2", 1674, 1680, 80, 20, "5.8 / 2.0"},
    {"ConcurrentStack", "concurrent_stack", 2, "", "", 1680, 1680, 100, 0, "1.3 / -"},
    {"BlockingCollection (Pre)", "blocking_collection_pre", 2, "D, K", "D 2x2, K 2x2", 850, 1680, 13, 87,
     "109.6 / 47.4"},
    {"BlockingCollection", "blocking_collection", 2, "H, I, K", "H 2x2, I 3x2", 259, 501, 43, 57, "205.3 / 68.7"},
    {"ConcurrentBag (Pre)", "concurrent_bag_pre", 1, "E, J", "E 2x2", 1680, 1680, 75, 25, "1.7 / 0.4"},
    {"ConcurrentBag", "concurrent_bag", 2, "J", "J 2x2", 1680, 1680, 87, 13, "0.6 / 3.2"},
    {"TaskCompletionSource (Pre)", "task_completion_source_pre", 2, "F", "F 2x2", 1432, 1680, 65, 35, "32.9 / 9.4"},
    {"TaskCompletionSource", "task_completion_source", 2, "G", "G 2x2", 1209, 1680, 53, 47, "53.3 / 3.7"},
    {"CancellationTokenSource", "cancellation_token_source", 2, "", "", 1680, 1680, 100, 0, "9.6 / -"},
    {"Barrier", "barrier", 2, "L", "L 2x2", 1166, 1680, 22, 78, "7.0 / 1.5"},
};

/// The fields of a CSV line; the last one is quoted.
std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> result(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      result.emplace_back();
    else
      result.back() += c;
  }
  return result;
}

std::string last_line(const std::string& path) {
  std::ifstream file(path);
  std::string line, last;
  while (std::getline(file, line)) last = line;
  return last;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned jobs = 2, tests = 100;
  std::string csv = "lineup.csv", budget = "4s", program = MUSTER_LINEUP_CHECKS;
  CLI::App app{"Table 2 of Line-Up"};
  app.add_option("--jobs,-j", jobs, "Worker processes")->capture_default_str();
  app.add_option("--tests", tests, "Random tests a class")->capture_default_str();
  app.add_option("--test-budget", budget, "A test that takes longer is undecided")->capture_default_str();
  app.add_option("--program", program, "The checks of the classes");
  app.add_option("--csv", csv, "Where the figures go")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  std::filesystem::remove(csv);
  const auto start = std::chrono::steady_clock::now();
  fmt::print("{:<27} {:>2}  {:>15}  {:>13}  {:>9} {:>11}  {:>15}  {:>12}  {}\n", "class", "PB", "histories",
             "phase 1 [s]", "pass/fail", "(paper)", "pass/fail [s]", "(paper, min)", "smallest failing test (paper)");
  for (const Row& row : rows) {
    const std::string folder = csv + ".failures";
    const std::string command = fmt::format(
        "'{}' {} --all-tests --tests {} --size 3x3 --bound {} --late-yields 0 --test-budget {} --jobs {} --minimise 3 "
        "--summary '{}' --folder '{}' --quiet > /dev/null",
        program, row.check, tests, row.bound, budget, jobs, csv, folder);
    const int status = std::system(command.c_str());
    const auto f = fields(last_line(csv));
    if (f.size() < 14 || f[0] != row.check) {
      fmt::print(stderr, "{}: the check did not run (status {}): {}\n", row.check, status, command);
      return 2;
    }
    const std::string undecided = f[8] == "0" ? "" : fmt::format(" ({} undecided)", f[8]);
    fmt::print("{:<27} {:>2}  {:>5} ({:>4}/{:>4})  {:>6.3f}/{:.3f}  {:>9} {:>11}  {:>7.3f}/{:.3f}  {:>12}  {}{}{}\n",
               row.title, row.bound, f[2], row.average, row.most, std::stod(f[4]), std::stod(f[5]), f[6] + "/" + f[7],
               fmt::format("({}/{})", row.pass, row.fail), std::stod(f[9]), std::stod(f[10]), row.minutes, f[13],
               *row.dimension ? fmt::format(" ({})", row.dimension) : "", undecided);
    std::fflush(stdout);
  }
  fmt::print("{:.0f} s in all; figures in {}\n",
             std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), csv);
  return 0;
}
