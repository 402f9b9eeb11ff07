// How many executions does reduction leave of a plain search, how do both grow with the operations of a thread, and
// what does a reduced execution cost? Two threads make so many calls each, in turn `push` and `pop`. And what is saved
// where threads that make the same calls are taken for the same?

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>

#include "../reproduce/command.hpp"

namespace {

constexpr std::array structures{"michael_scott", "treiber", "locked"};
constexpr unsigned most_operations = 5;

struct Search {
  const char* name;
  const char* flags;
};
constexpr Search plain_bounded{"bound 2", "--strategy dfs --bound 2"};
constexpr Search plain{"unbounded", "--strategy dfs --bound unbounded"};
constexpr Search plain_from_start{"from start", "--strategy dfs --bound unbounded --from-start"};
constexpr Search reduced{"reduced", "--strategy dpor --unbounded"};
constexpr Search reduced_from_start{"from start", "--strategy dpor --unbounded --from-start"};
constexpr Search symmetric{"symmetric", "--strategy dpor --unbounded --symmetry data"};

struct Figures {
  std::uint64_t executions = 0;  // concurrent ones
  std::uint64_t complete = 0;
  double cpu_seconds = 0;
  bool exhausted = false;

  std::uint64_t serial = 0;
  std::uint64_t histories = 0;
  /// Serial executions are in the time, too.
  double microseconds() const {
    return executions > 0 ? 1e6 * cpu_seconds / static_cast<double>(executions + serial) : 0;
  }
};

double number_of(const std::string& json, const std::string& name) {
  std::smatch match;
  return std::regex_search(json, match, std::regex("\"" + name + "\": *([0-9.e+-]+)")) ? std::stod(match[1]) : 0;
}

/// "push(1), pop, push(1)" for each of two threads.
std::string matrix(unsigned operations) {
  std::string column;
  for (unsigned i = 0; i < operations; ++i)
    column += fmt::format("{}{}", i == 0 ? "" : ", ", i % 2 == 0 ? "push(1)" : "pop");
  return column + " | " + column;
}

/// A check with one of its tests, so many times that what a process needs once counts for little.
std::string check(const char* structure, const std::string& matrix, unsigned times = 1) {
  std::string subject = structure;
  for (unsigned i = 0; i < times; ++i) subject += fmt::format(" --matrix '{}'", matrix);
  return subject;
}

Figures run(const std::string& subject, const Search& search, const char* budget) {
  const auto folder = std::filesystem::temp_directory_path() / "muster-bench-reduction";
  std::filesystem::create_directories(folder);
  const std::string report = (folder / "report.json").string();
  std::filesystem::remove(report);
  reproduce::output_of(fmt::format("'{}' {} {} --late-yields 0 --budget {} --suppress . --folder '{}' --json '{}' 2>&1",
                                   MUSTER_BENCH_SUBJECTS, subject, search.flags, budget, (folder / "failures").string(),
                                   report));
  std::ostringstream text;
  text << std::ifstream(report).rdbuf();
  std::filesystem::remove_all(folder);
  const std::string json = text.str();
  Figures figures;
  figures.serial = static_cast<std::uint64_t>(number_of(json, "serial_executions"));
  figures.executions = static_cast<std::uint64_t>(number_of(json, "executions")) - figures.serial;
  figures.histories = static_cast<std::uint64_t>(number_of(json, "histories"));
  figures.complete = static_cast<std::uint64_t>(number_of(json, "complete"));
  figures.cpu_seconds = number_of(json, "cpu_seconds");
  figures.exhausted = std::regex_search(json, std::regex("\"exhausted\": *true"));
  return figures;
}

void print_growth(const char* structure) {
  for (unsigned operations = 1; operations <= most_operations; ++operations) {
    for (const Search& search : {plain_bounded, plain, reduced}) {
      const Figures figures = run(check(structure, matrix(operations)), search, "20s");
      if (!figures.exhausted) continue;
      fmt::print("{:<14} {} operation{} a thread  {:<10} {:>10} executions", structure, operations,
                 operations == 1 ? " " : "s", search.name, figures.executions);
      if (std::string(search.name) == reduced.name) fmt::print(", {} of them complete", figures.complete);
      fmt::print("\n");
      std::fflush(stdout);
    }
  }
}

/// What an execution costs. Both searches go back to saved points, plain search within the bound that it has by default
/// or without one; or both begin at the start. Without a bound plain search changes its last decision, and goes back
/// hardly at all. Serial executions of a check are counted, too, and a reduced one judges many histories.
void print_cost(const char* structure, const char* name, const std::string& subject) {
  // The least of five runs, of all searches in turn: what disturbs the machine for a while disturbs them alike.
  const Search searches[] = {reduced, reduced_from_start, plain_bounded, plain, plain_from_start};
  std::array<Figures, std::size(searches)> least;
  for (int round = 0; round < 5; ++round) {
    for (std::size_t i = 0; i < least.size(); ++i) {
      const Figures next = run(subject, searches[i], "1s");
      if (round == 0 || next.microseconds() < least[i].microseconds()) least[i] = next;
    }
  }
  const auto& [classes, classes_from_start, bounded, unbounded, from_start] = least;
  const double cost = classes.microseconds();
  fmt::print(
      "{:<14} {:<24} a reduced execution takes {:.2f} us, {:.2f} x one of plain search at bound 2, {:.2f} x without "
      "a bound; where both begin at the start, {:.2f} x (aim 3)",
      structure, name, cost, cost / bounded.microseconds(), cost / unbounded.microseconds(),
      classes_from_start.microseconds() / from_start.microseconds());
  if (classes.histories > 0)
    fmt::print("; {:.1f} new histories judged for each",
               static_cast<double>(classes.histories) / static_cast<double>(classes.executions));
  fmt::print("\n");
  std::fflush(stdout);
}

void print_costs(const char* structure) {
  constexpr unsigned times = 300;
  print_cost(structure, "2 threads, 5 calls each", check(structure, matrix(most_operations), times));
  print_cost(structure, "4 threads, a call each", check(structure, "push(1) | push(2) | pop | pop", times));
  print_cost(structure, "6 threads, a call each",
             check(structure, "push(1) | push(2) | push(1) | pop | pop | pop", times));
  print_cost(structure, "a scenario, 2 threads", fmt::format("{}_pair", structure));
  print_cost(structure, "a scenario, many threads", fmt::format("{}_crowd", structure));
}

/// Threads that each push, and threads that each pop.
struct Crowd {
  const char* structure;
  const char* name;
  const char* matrix;
  double aim;  // seconds; 0: none
};
constexpr Crowd crowds[] = {{"treiber", "2 + 2", "push(1) | push(2) | pop | pop", 0},
                            {"michael_scott", "2 + 2", "push(1) | push(2) | pop | pop", 0},
                            {"michael_scott", "3 + 3", "push(1) | push(2) | push(3) | pop | pop | pop", 0.5},
                            {"michael_scott", "4 + 3", "push(1) | push(2) | push(3) | push(4) | pop | pop | pop", 3}};

void print_symmetry(const Crowd& crowd) {
  const Figures one = run(check(crowd.structure, crowd.matrix), symmetric, "60s");
  const Figures all = run(check(crowd.structure, crowd.matrix), reduced, "20s");
  fmt::print("{:<13}  {} threads  one naming {:>7} executions, {:>6} of them complete, {:.2f} s CPU", crowd.structure,
             crowd.name, one.executions, one.complete, one.cpu_seconds);
  if (crowd.aim > 0) fmt::print(" (aim {} s)", crowd.aim);
  if (all.exhausted) {
    fmt::print("; all names {} executions, {} of them complete, {:.2f} s, {:.1f} x\n", all.executions, all.complete,
               all.cpu_seconds, all.cpu_seconds / one.cpu_seconds);
  } else {
    fmt::print("; all names not ended in 20 s\n");
  }
  std::fflush(stdout);
}

}  // namespace

/// All, or the one that is named: growth, cost or symmetry.
int main(int argc, char** argv) {
  const std::string wanted = argc > 1 ? argv[1] : "";
  if (wanted.empty() || wanted == "growth") {
    for (const char* structure : structures) print_growth(structure);
  }
  if (wanted.empty() || wanted == "cost") {
    for (const char* structure : structures) print_costs(structure);
  }
  if (wanted.empty() || wanted == "symmetry") {
    for (const Crowd& crowd : crowds) print_symmetry(crowd);
  }
  return 0;
}
