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
  const char* causes;      // letters, each with the check in which it alone is repaired or declared
  const char* dimension;   // of the smallest failing tests, in the paper
  unsigned average, most;  // serial histories, in the paper
  unsigned pass, fail;     // in the paper
  const char* minutes;     // passing / failing test, in the paper
};

constexpr Row rows[] = {
    {"Lazy Initialization", "lazy_initialization", 2, "", "", 60, 68, 100, 0, "9.7 / -"},
    {"ManualResetEvent (Pre)", "manual_reset_event_pre", 2, "A=manual_reset_event", "A 2x3", 828, 1680, 93, 7,
     "12.9 / 19.9"},
    {"ManualResetEvent", "manual_reset_event", 2, "", "", 76, 133, 100, 0, "170.5 / -"},
    {"SemaphoreSlim", "semaphore_slim", 1, "", "", 1511, 1680, 100, 0, "18.1 / -"},
    {"CountdownEvent", "countdown_event", 2, "", "", 410, 1680, 100, 0, "6.3 / -"},
    {"ConcurrentDictionary", "concurrent_dictionary", 1, "", "", 1678, 1680, 100, 0, "6.8 / -"},
    {"ConcurrentQueue (Pre)", "concurrent_queue_pre", 2, "B=concurrent_queue_pre_repaired", "B 2x2", 1680, 1680, 43, 57,
     "33.8 / 5.7"},
    {"ConcurrentQueue", "concurrent_queue", 2, "", "", 1680, 1680, 100, 0, "33.7 / -"},
    {"ConcurrentLinkedList (Pre)", "concurrent_linked_list_pre", 1, "C=concurrent_linked_list", "C 2x2", 1674, 1680, 80,
     20, "5.8 / 2.0"},
    {"ConcurrentStack", "concurrent_stack", 2, "", "", 1680, 1680, 100, 0, "1.3 / -"},
    {"BlockingCollection (Pre)", "blocking_collection_pre", 2,
     "D=blocking_collection K=blocking_collection_pre_k_declared", "D 2x2, K 2x2", 850, 1680, 13, 87, "109.6 / 47.4"},
    {"BlockingCollection", "blocking_collection", 2,
     "H=blocking_collection_h_declared I=blocking_collection_i_declared K=blocking_collection_k_declared",
     "H 2x2, I 3x2", 259, 501, 43, 57, "205.3 / 68.7"},
    {"ConcurrentBag (Pre)", "concurrent_bag_pre", 1, "E=concurrent_bag J=concurrent_bag_pre_unordered", "E 2x2", 1680,
     1680, 75, 25, "1.7 / 0.4"},
    {"ConcurrentBag", "concurrent_bag", 2, "J=concurrent_bag_unordered", "J 2x2", 1680, 1680, 87, 13, "0.6 / 3.2"},
    {"TaskCompletionSource (Pre)", "task_completion_source_pre", 2, "F=task_completion_source_repaired", "F 2x2", 1432,
     1680, 65, 35, "32.9 / 9.4"},
    {"TaskCompletionSource", "task_completion_source", 2, "G=task_completion_source_repaired", "G 2x2", 1209, 1680, 53,
     47, "53.3 / 3.7"},
    {"CancellationTokenSource", "cancellation_token_source", 2, "", "", 1680, 1680, 100, 0, "9.6 / -"},
    {"Barrier", "barrier", 2, "", "L 2x2", 1166, 1680, 22, 78, "7.0 / 1.5"},
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

/// How the program of checks is called.
struct Checks {
  std::string program, csv, budget;
  unsigned tests = 100, jobs = 2;

  std::string options(unsigned bound) const {
    return fmt::format(
        "--all-tests --size 3x3 --tests {} --bound {} --late-yields 0 --test-budget {} --jobs {} --folder "
        "'{}.failures' --quiet",
        tests, bound, budget, jobs, csv);
  }

  /// The figures of one check, as a line of the summary.
  std::vector<std::string> run(const std::string& check, unsigned bound, const std::string& more,
                               const std::string& summary) const {
    const std::string command =
        fmt::format("'{}' {} {} {} --summary '{}' > /dev/null", program, check, options(bound), more, summary);
    const int status = std::system(command.c_str());
    auto figures = fields(last_line(summary));
    if (figures.size() < 15 || figures[0] != check) {
      fmt::print(stderr, "{}: the check did not run (status {}): {}\n", check, status, command);
      std::exit(2);
    }
    return figures;
  }

  /// The tests of a check, as text.
  std::vector<std::string> matrices(const std::string& check) const {
    const std::string file = csv + ".tests";
    if (std::system(
            fmt::format("'{}' {} --list-tests --size 3x3 --tests {} > '{}'", program, check, tests, file).c_str()) != 0)
      std::exit(2);
    std::vector<std::string> result;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) result.push_back(line.substr(line.find(": ") + 2));
    std::filesystem::remove(file);
    return result;
  }

  /// Which letter explains how many of the failing tests: those that pass where it alone is repaired, or declared.
  std::string attribution(const Row& row, const std::string& failing) const {
    if (cause_count(row) == 0 || failing.empty()) return "";
    std::string arguments = "--minimise 0";
    std::size_t count = 0, explained = 0;
    const auto all = matrices(row.check);
    std::istringstream numbers(failing);
    for (std::size_t number; numbers >> number; ++count) arguments += fmt::format(" --matrix '{}'", all[number - 1]);
    std::string text;
    std::istringstream causes(row.causes);
    for (std::string cause; causes >> cause;) {
      const auto figures = run(cause.substr(2), row.bound, arguments, csv + ".causes");
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", cause[0], figures[6]);
      explained += std::stoul(figures[6]);
    }
    if (explained < count && cause_count(row) > 1) text += fmt::format(", several {}", count - explained);
    return text;
  }

  static std::size_t cause_count(const Row& row) {
    std::istringstream causes(row.causes);
    std::size_t count = 0;
    for (std::string cause; causes >> cause;) ++count;
    return count;
  }
};

}  // namespace

int main(int argc, char** argv) {
  unsigned jobs = 2, tests = 100;
  std::string csv = "lineup.csv", budget = "60s", program = MUSTER_LINEUP_CHECKS;
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
  const Checks checks{program, csv, budget, tests, jobs};
  std::filesystem::remove(csv + ".causes");
  for (const Row& row : rows) {
    const auto f = checks.run(row.check, row.bound, "--minimise 10", csv);
    const std::string undecided = f[8] == "0" ? "" : fmt::format(" ({} undecided)", f[8]);
    fmt::print("{:<27} {:>2}  {:>5} ({:>4}/{:>4})  {:>6.3f}/{:.3f}  {:>9} {:>11}  {:>7.3f}/{:.3f}  {:>12}  {}{}{}\n",
               row.title, row.bound, f[2], row.average, row.most, std::stod(f[4]), std::stod(f[5]), f[6] + "/" + f[7],
               fmt::format("({}/{})", row.pass, row.fail), std::stod(f[9]), std::stod(f[10]), row.minutes, f[13],
               *row.dimension ? fmt::format(" ({})", row.dimension) : "", undecided);
    if (const std::string causes = checks.attribution(row, f[14]); !causes.empty())
      fmt::print("{:>31}{}\n", "because of ", causes);
    std::fflush(stdout);
  }
  fmt::print("{:.0f} s in all; figures in {}\n",
             std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), csv);
  return 0;
}
