// Table 2 of "Line-Up: a complete and automatic linearizability checker" (Burckhardt, Dern, Musuvathi, Tan, PLDI 2010):
// 100 random tests of 3x3 for each of 18 classes, at the paper's preemption bounds, with the paper's figures below.
//
//   reproduce_lineup [--jobs N] [--tests N] [--test-budget 10s] [--proof-budget 60s] [--csv FILE]
//
// The classes are the C++ counterparts in tests/subjects/lineup. Times are seconds here and minutes in the paper. Each
// failing test is told under the letters that explain it: those with which alone repaired, or declared, it passes.
// Classes that pass are also checked on every test of 2x2, and of 3x2 where that ends in time, without a bound.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Row {
  const char* title;
  const char* check;
  unsigned bound;
  const char* causes;      // letters, each with the check in which it alone is repaired or declared, if there is one
  const char* dimensions;  // of the smallest failing tests, by letter, in the paper
  struct {
    unsigned histories_average, histories_most;
    const char *phase1_average, *phase1_most;  // minutes
    unsigned pass, fail;
    const char *pass_minutes, *fail_minutes;
  } paper;
};

constexpr Row rows[] = {
    {"Lazy Initialization", "lazy_initialization", 2, "", "", {60, 68, "0.07", "0.07", 100, 0, "9.7", "-"}},
    {"ManualResetEvent (Pre)",
     "manual_reset_event_pre",
     2,
     "A=manual_reset_event",
     "A=2x3",
     {828, 1680, "3.31", "8.36", 93, 7, "12.9", "19.9"}},
    {"ManualResetEvent", "manual_reset_event", 2, "", "", {76, 133, "0.07", "0.07", 100, 0, "170.5", "-"}},
    {"SemaphoreSlim", "semaphore_slim", 1, "", "", {1511, 1680, "3.91", "7.31", 100, 0, "18.1", "-"}},
    {"CountdownEvent", "countdown_event", 2, "", "", {410, 1680, "1.20", "4.95", 100, 0, "6.3", "-"}},
    {"ConcurrentDictionary", "concurrent_dictionary", 1, "", "", {1678, 1680, "7.02", "10.94", 100, 0, "6.8", "-"}},
    {"ConcurrentQueue (Pre)",
     "concurrent_queue_pre",
     2,
     "B=concurrent_queue_pre_repaired",
     "B=2x2",
     {1680, 1680, "6.00", "6.33", 43, 57, "33.8", "5.7"}},
    {"ConcurrentQueue", "concurrent_queue", 2, "", "", {1680, 1680, "6.37", "6.77", 100, 0, "33.7", "-"}},
    {"ConcurrentLinkedList (Pre)",
     "concurrent_linked_list_pre",
     1,
     "C=concurrent_linked_list",
     "C=2x2",
     {1674, 1680, "8.54", "12.36", 80, 20, "5.8", "2.0"}},
    {"ConcurrentStack", "concurrent_stack", 2, "", "", {1680, 1680, "3.49", "3.68", 100, 0, "1.3", "-"}},
    {"BlockingCollection (Pre)",
     "blocking_collection_pre",
     2,
     "D=blocking_collection K=blocking_collection_pre_k_declared",
     "D=2x2 K=2x2",
     {850, 1680, "4.09", "17.84", 13, 87, "109.6", "47.4"}},
    {"BlockingCollection",
     "blocking_collection",
     2,
     "H=blocking_collection_h_declared I=blocking_collection_i_declared K=blocking_collection_k_declared",
     "H=2x2 I=3x2",
     {259, 501, "0.07", "0.07", 43, 57, "205.3", "68.7"}},
    {"ConcurrentBag (Pre)",
     "concurrent_bag_pre",
     1,
     "E=concurrent_bag J=concurrent_bag_pre_unordered",
     "E=2x2",
     {1680, 1680, "4.18", "4.52", 75, 25, "1.7", "0.4"}},
    {"ConcurrentBag",
     "concurrent_bag",
     2,
     "J=concurrent_bag_unordered",
     "J=2x2",
     {1680, 1680, "4.05", "4.43", 87, 13, "0.6", "3.2"}},
    {"TaskCompletionSource (Pre)",
     "task_completion_source_pre",
     2,
     "F=task_completion_source_repaired",
     "F=2x2",
     {1432, 1680, "7.30", "20.26", 65, 35, "32.9", "9.4"}},
    {"TaskCompletionSource",
     "task_completion_source",
     2,
     "G=task_completion_source_repaired",
     "G=2x2",
     {1209, 1680, "5.98", "11.95", 53, 47, "53.3", "3.7"}},
    {"CancellationTokenSource",
     "cancellation_token_source",
     2,
     "",
     "",
     {1680, 1680, "4.49", "5.74", 100, 0, "9.6", "-"}},
    {"Barrier", "barrier", 2, "L=", "L=2x2", {1166, 1680, "4.10", "7.02", 22, 78, "7.0", "1.5"}},
};

/// What each bug's class is once that is repaired, and what it does by intention declared or left out.
struct Twin {
  const char* bugs;
  const char* check;
  unsigned bound;
};
constexpr Twin twins[] = {{"A", "manual_reset_event", 2},       {"B", "concurrent_queue_pre_repaired", 2},
                          {"C", "concurrent_linked_list", 1},   {"D", "blocking_collection_strict", 2},
                          {"E", "concurrent_bag_unordered", 1}, {"F, G", "task_completion_source_repaired", 2}};

/// "A=x B=y" as pairs.
std::vector<std::pair<char, std::string>> by_letter(const char* text) {
  std::vector<std::pair<char, std::string>> result;
  std::istringstream words(text);
  for (std::string word; words >> word;) result.emplace_back(word[0], word.substr(2));
  return result;
}

/// Threads times operations: "2x3" is 6.
unsigned area(const std::string& dimension) {
  const auto x = dimension.find('x');
  return static_cast<unsigned>(std::stoul(dimension.substr(0, x)) * std::stoul(dimension.substr(x + 1)));
}

/// A line of the summary that a program of checks writes.
struct Figures {
  std::vector<std::string> fields;

  unsigned long number(std::size_t field) const { return std::stoul(fields[field]); }
  double seconds(std::size_t field) const { return std::stod(fields[field]); }
  unsigned long tests() const { return number(1); }
  unsigned long pass() const { return number(6); }
  unsigned long fail() const { return number(7); }
  unsigned long undecided() const { return number(8); }
  std::vector<std::size_t> failing() const { return test_numbers(14); }
  std::vector<std::size_t> undecided_tests() const { return test_numbers(20); }

  /// The smallest failing test, and its dimension.
  struct Smallest {
    std::string dimension, test;
  };
  std::optional<Smallest> smallest() const {
    std::optional<Smallest> best;
    const std::string& text = fields[13];
    for (std::size_t at = 0; at < text.size();) {  // "kind 2x3: test; kind 2x1: test"
      const std::size_t end = std::min(text.find("; ", at), text.size());
      const std::size_t colon = text.find(": ", at), space = text.rfind(' ', colon);
      const Smallest found{text.substr(space + 1, colon - space - 1), text.substr(colon + 2, end - colon - 2)};
      if (!best || area(found.dimension) < area(best->dimension)) best = found;
      at = end + 2;
    }
    return best;
  }

 private:
  std::vector<std::size_t> test_numbers(std::size_t field) const {
    std::vector<std::size_t> result;
    std::istringstream numbers(fields[field]);
    for (std::size_t number; numbers >> number;) result.push_back(number);
    return result;
  }
};

/// All tests of so many operations on so many threads.
struct Proof {
  unsigned threads, operations;
  std::string budget;
  std::vector<std::string> strategies;  // in this order: a loop that waits may need plain search

  std::string size() const { return fmt::format("{}x{}", threads, operations); }
};

/// How the program of checks is called.
class Checks {
 public:
  Checks(std::string program, std::string scratch, std::string budget, unsigned tests, unsigned jobs)
      : program_(std::move(program)),
        scratch_(std::move(scratch)),
        budget_(std::move(budget)),
        tests_(tests),
        jobs_(jobs) {}

  /// All random tests, or the given ones, of one check.
  Figures run(const std::string& check, unsigned bound, unsigned minimise,
              const std::vector<std::string>& matrices = {}) const {
    std::string arguments = fmt::format(
        "--strategy dfs --size 3x3 --tests uniform:{} --bound {} --late-yields 0 --test-budget {} --minimise {}",
        tests_, bound, budget_, minimise);
    for (const std::string& matrix : matrices) arguments += fmt::format(" --matrix '{}'", matrix);
    return run(check, arguments);
  }

  /// Given tests of one check, with one execution for each class of equivalent ones, whatever their preemptions.
  Figures run_reduced(const std::string& check, const std::vector<std::string>& matrices) const {
    std::string arguments = "--strategy dpor --unbounded --test-budget 60s --minimise 0";
    for (const std::string& matrix : matrices) arguments += fmt::format(" --matrix '{}'", matrix);
    return run(check, arguments);
  }

  /// Whether every test of a size passes without a bound, as a text.
  std::string proof(const std::string& check, const Proof& what) const {
    const double count = std::pow(invocations(check), what.threads * what.operations);
    if (count > most_tests) return fmt::format("{} too many tests: {:.2g}", what.size(), count);
    unsigned long passed = 0;
    for (const std::string& strategy : what.strategies) {
      const Figures f =
          run(check, fmt::format("--size {} --tests uniform:{} --unbounded --budget {} --minimise 0 --strategy {}",
                                 what.size(), most_tests, what.budget, strategy));
      if (f.fail() > 0) return fmt::format("{} fails in {} of {} tests", what.size(), f.fail(), f.tests());
      if (f.pass() == static_cast<unsigned long>(count))
        return fmt::format("{} proved: all {} tests{}", what.size(), f.tests(),
                           strategy == "dfs" ? " (plain search)" : "");
      passed = std::max(passed, f.pass());
    }
    return fmt::format("{} not ended: {} of {:.0f} tests in {}", what.size(), passed, count, what.budget);
  }

  /// Random tests of a check, by number, as text.
  std::vector<std::string> matrices(const std::string& check, const std::vector<std::size_t>& numbers) const {
    const auto all = list(check, fmt::format("--size 3x3 --tests uniform:{}", tests_));
    std::vector<std::string> result;
    for (const std::size_t number : numbers) result.push_back(all[number - 1]);
    return result;
  }

 private:
  static constexpr unsigned most_tests = 1'000'000;

  std::size_t invocations(const std::string& check) const {
    return list(check, "--size 1x1 --tests uniform:1000").size();
  }

  std::vector<std::string> list(const std::string& check, const std::string& arguments) const {
    const std::string file = scratch_ + "/tests";
    if (std::system(fmt::format("'{}' {} --list-tests {} > '{}'", program_, check, arguments, file).c_str()) != 0)
      std::exit(2);
    std::vector<std::string> result;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) result.push_back(line.substr(line.find(": ") + 2));
    return result;
  }

  Figures run(const std::string& check, const std::string& arguments) const {
    const std::string summary = scratch_ + "/summary.csv", folder = scratch_ + "/failures";
    std::filesystem::remove(summary);
    std::filesystem::remove_all(folder);  // a saved failure would be tried first, and end the run
    const std::string command =
        fmt::format("'{}' {} --all-tests --quiet --jobs {} --folder '{}' {} --summary '{}' > /dev/null", program_,
                    check, jobs_, folder, arguments, summary);
    const int status = std::system(command.c_str());
    Figures figures{last_line_of(summary)};
    if (figures.fields.size() < 21 || figures.fields[0] != check) {
      fmt::print(stderr, "{}: the check did not run (status {}): {}\n", check, status, command);
      std::exit(2);
    }
    return figures;
  }

  /// The fields of a CSV file's last line; one of them is quoted.
  static std::vector<std::string> last_line_of(const std::string& path) {
    std::ifstream file(path);
    std::string last;
    for (std::string line; std::getline(file, line);) last = line;
    std::vector<std::string> result(1);
    bool quoted = false;
    for (const char c : last) {
      if (c == '"')
        quoted = !quoted;
      else if (c == ',' && !quoted)
        result.emplace_back();
      else
        result.back() += c;
    }
    return result;
  }

  std::string program_, scratch_, budget_;
  unsigned tests_, jobs_;
};

/// What one letter explains of a class.
struct Cause {
  char letter;
  std::vector<std::string> tests;  // that fail, and pass once it is repaired or declared
  std::optional<Figures::Smallest> smallest;
  std::string in_paper;  // the dimension; empty where the paper has none

  bool is_bug() const { return letter <= 'G'; }
  bool small_enough() const { return smallest && (in_paper.empty() || area(smallest->dimension) <= area(in_paper)); }
};

bool has(const std::vector<std::size_t>& numbers, std::size_t number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

/// What reduction says about tests that took too long at the bound.
std::string what_was_too_long(const Row& row, const Figures& all, const Checks& checks) {
  if (all.undecided() == 0) return "";
  const Figures reduced = checks.run_reduced(row.check, checks.matrices(row.check, all.undecided_tests()));
  return fmt::format("{} took too long; without a bound, by reduction, {} of them pass, {} fail", all.undecided(),
                     reduced.pass(), reduced.fail());
}

std::vector<Cause> causes_of(const Row& row, const Figures& all, const Checks& checks) {
  constexpr unsigned minimised = 10;
  const std::vector<std::string> failing = checks.matrices(row.check, all.failing());
  std::vector<Cause> causes;
  for (const auto& [letter, repaired] : by_letter(row.causes)) {
    Cause& cause = causes.emplace_back(Cause{letter, {}, {}, {}});
    for (const auto& [other, dimension] : by_letter(row.dimensions)) {
      if (other == letter) cause.in_paper = dimension;
    }
    cause.tests = failing;
    if (!repaired.empty() && !failing.empty()) {
      const Figures still = checks.run(repaired, row.bound, 0, failing);
      std::vector<std::string> passing;
      for (std::size_t i = 0; i < failing.size(); ++i) {
        if (!has(still.failing(), i + 1) && !has(still.undecided_tests(), i + 1)) passing.push_back(failing[i]);
      }
      cause.tests = passing;
    }
    // What a test loses while it is made small does not add causes: the small one fails for this letter, too.
    if (!cause.tests.empty()) cause.smallest = checks.run(row.check, row.bound, minimised, cause.tests).smallest();
  }
  return causes;
}

std::string seconds_or_none(const Figures& f, std::size_t field, unsigned long count) {
  return count > 0 ? fmt::format("{:.3f}", f.seconds(field)) : "-";
}

void print(const Row& row, const Figures& f, const std::vector<Cause>& causes, const std::string& proof,
           const std::string& too_long) {
  fmt::print("{:<27} {:>2}  {:>5} {:>5}  {:>6.3f} {:>6.3f}  {:>4} {:>4}  {:>7} {:>7}  {}{}\n", row.title, row.bound,
             f.fields[2], f.fields[3], f.seconds(4), f.seconds(5), f.pass(), f.fail(), seconds_or_none(f, 9, f.pass()),
             seconds_or_none(f, 10, f.fail()), proof, too_long);
  const auto& paper = row.paper;
  fmt::print("{:>27}     {:>5} {:>5}  {:>6} {:>6}  {:>4} {:>4}  {:>7} {:>7}\n", "paper, minutes",
             paper.histories_average, paper.histories_most, paper.phase1_average, paper.phase1_most, paper.pass,
             paper.fail, paper.pass_minutes, paper.fail_minutes);
  std::set<std::string> explained;
  for (const Cause& cause : causes) {
    explained.insert(cause.tests.begin(), cause.tests.end());
    fmt::print("{:>27}  {} test{}{}{}\n", cause.letter, cause.tests.size(), cause.tests.size() == 1 ? "" : "s",
               cause.smallest ? fmt::format(", smallest {}: {}", cause.smallest->dimension, cause.smallest->test) : "",
               cause.in_paper.empty() ? "" : fmt::format(" (paper: {})", cause.in_paper));
  }
  if (causes.size() > 1 && explained.size() < f.fail())
    fmt::print("{:>27}  {} tests\n", "several letters at once", f.fail() - explained.size());
  std::fflush(stdout);
}

void write_csv_line(std::ofstream& csv, const Row& row, const Figures& f, const std::vector<Cause>& causes,
                    const std::string& proof) {
  std::string letters;
  for (const Cause& cause : causes)
    letters += fmt::format("{}{} {} {}", letters.empty() ? "" : "; ", cause.letter, cause.tests.size(),
                           cause.smallest ? cause.smallest->dimension + " " + cause.smallest->test : "-");
  const auto& paper = row.paper;
  csv << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},\"{}\",\"{}\",{},{},{},{},{},{},{},{},\"{}\"\n", row.title,
                     row.bound, f.tests(), f.fields[2], f.fields[3], f.fields[4], f.fields[5], f.pass(), f.fail(),
                     f.undecided(), f.fields[9], f.fields[10], f.fields[11], letters, proof, paper.histories_average,
                     paper.histories_most, paper.phase1_average, paper.phase1_most, paper.pass, paper.fail,
                     paper.pass_minutes, paper.fail_minutes, row.dimensions);
}

/// Random tests of their own. Whether all pass.
bool check_twins(const Checks& checks) {
  fmt::print("\nThe classes with their bug repaired:\n");
  bool good = true;
  for (const Twin& twin : twins) {
    const Figures f = checks.run(twin.check, twin.bound, 0);
    fmt::print("{:>6} {:<32} {:>4} pass {:>4} fail {:>4} undecided\n", twin.bugs, twin.check, f.pass(), f.fail(),
               f.undecided());
    std::fflush(stdout);
    good &= f.pass() == f.tests();
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned jobs = 2, tests = 100;
  std::string csv_path = "lineup.csv", budget = "10s", proof_budget = "60s", program = MUSTER_LINEUP_CHECKS;
  CLI::App app{"Table 2 of Line-Up"};
  app.add_option("--jobs,-j", jobs, "Worker processes")->capture_default_str();
  app.add_option("--tests", tests, "Random tests a class")->capture_default_str();
  app.add_option("--test-budget", budget, "A test that takes longer is explored by reduction, without a bound")
      ->capture_default_str();
  app.add_option("--proof-budget", proof_budget,
                 "So long is tried to prove a class that passes at 3x2, without a bound")
      ->capture_default_str();
  app.add_option("--program", program, "The checks of the classes");
  app.add_option("--csv", csv_path, "Where the figures go")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  const std::string scratch = csv_path + ".scratch";
  std::filesystem::create_directories(scratch);
  std::ofstream csv(csv_path);
  csv << "class,bound,tests,histories_avg,histories_max,phase1_s_avg,phase1_s_max,pass,fail,undecided,pass_s_avg,fail_"
         "s_avg,executions,"
         "smallest_failing_by_letter,unbounded,paper_histories_avg,paper_histories_max,paper_phase1_min_avg,paper_"
         "phase1_min_max,paper_pass,paper_fail,"
         "paper_pass_min,paper_fail_min,paper_smallest\n";
  const auto start = std::chrono::steady_clock::now();
  fmt::print("{:<27} {:>2}  {:>11}  {:>13}  {:>9}  {:>15}  {}\n", "", "", "histories", "phase 1 [s]", "tests",
             "a test [s]", "");
  fmt::print("{:<27} {:>2}  {:>5} {:>5}  {:>6} {:>6}  {:>4} {:>4}  {:>7} {:>7}  {}\n", "class", "PB", "avg", "max",
             "avg", "max", "pass", "fail", "pass", "fail", "all tests without a bound");
  const Checks checks(program, scratch, budget, tests, jobs);
  unsigned bugs = 0, small_bugs = 0;
  for (const Row& row : rows) {
    const Figures figures = checks.run(row.check, row.bound, 0);
    const auto causes = causes_of(row, figures, checks);
    std::string proof;
    if (figures.pass() == figures.tests())
      proof = checks.proof(row.check, {2, 2, "300s", {"dpor", "dfs"}}) + "; " +
              checks.proof(row.check, {3, 2, proof_budget, {"dpor"}});
    print(row, figures, causes, proof, what_was_too_long(row, figures, checks));
    write_csv_line(csv, row, figures, causes, proof);
    for (const Cause& cause : causes) {
      bugs += cause.is_bug() && !cause.tests.empty();
      small_bugs += cause.is_bug() && cause.small_enough();
    }
  }
  fmt::print(
      "{} of the bugs A to G found, {} of them by a test no larger than the paper's.\n{:.0f} s in all; figures in {}\n",
      bugs, small_bugs, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), csv_path);
  const bool good_twins = check_twins(checks);
  std::filesystem::remove_all(scratch);
  return bugs == 7 && small_bugs == 7 && good_twins ? 0 : 1;
}
