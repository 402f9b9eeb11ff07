// After how many executions is a fault found? Each broken subject of tests/subjects, and each faulty class of
// Line-Up's, by the default search and by each strategy alone, with ten seeds. The mean counts all executions, serial
// ones of checks too; "-" where a seed ends without a finding or takes more than half a minute.
//
//   bench_first_finding [--seeds N] [--only NAME]
//
// A default is as good as the best where it takes at most twice as many executions and 200 more.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "../reproduce/command.hpp"

namespace {

using reproduce::output_of;

constexpr std::array strategies = {"portfolio", "dfs", "dpor", "pct", "pos"};

struct Subject {
  std::string program, name, flags;
};

std::vector<Subject> broken_subjects(const std::string& only) {
  std::vector<Subject> subjects;
  std::ifstream file(MUSTER_EXPECTED_VERDICTS);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    std::array<std::string, 7> field;  // folder, name, scenario, verdict, heap, executions, flags
    for (std::string& one : field) std::getline(fields, one, '\t');
    const auto& [folder, name, scenario, verdict, heap, executions, flags] = field;
    // What no schedule decides is not looked for, and what hangs is never proven.
    if (verdict == "pass" || verdict == "hang" || verdict == "possible-race" || verdict == "unsupported") continue;
    subjects.push_back(
        {fmt::format("{}/subjects_{}", MUSTER_SUBJECTS, folder), scenario, fmt::format("--heap {} {}", heap, flags)});
  }
  for (const char* faulty :
       {"manual_reset_event_pre", "concurrent_queue_pre", "concurrent_linked_list_pre", "blocking_collection_pre",
        "concurrent_bag_pre", "barrier_pre", "cancellation_token_source_pre", "task_completion_source_pre"})
    subjects.push_back({MUSTER_LINEUP_CHECKS, faulty, "--minimise 0"});
  std::erase_if(subjects, [&](const Subject& s) {
    return !std::filesystem::exists(s.program) || (!only.empty() && s.name.find(only) == std::string::npos);
  });
  return subjects;
}

/// The number behind the first `"name": ` after `from`.
std::optional<std::uint64_t> number_after(const std::string& json, const std::string& name, std::size_t from = 0) {
  const std::string quoted = "\"" + name + "\":";
  const std::size_t at = json.find(quoted, from);
  if (at == std::string::npos) return std::nullopt;
  return std::strtoull(json.c_str() + at + quoted.size(), nullptr, 10);
}

/// Executions up to the first proven finding; nothing if there is none.
std::optional<std::uint64_t> executions_of(const Subject& subject, const std::string& strategy, unsigned seed,
                                           const std::filesystem::path& folder) {
  const std::string json = folder / "report.json";
  std::filesystem::remove(json);
  std::filesystem::remove_all(folder / "saved");  // what a run has saved, the next one would try first
  output_of(fmt::format(
      "cd {} && timeout 60 '{}' {} {} --strategy {} --seed {} --budget 30s --hang 2 --cause 0 --quiet --json {} "
      "--folder saved > /dev/null 2>&1; true",
      folder.string(), subject.program, subject.name, subject.flags, strategy, seed, json));
  std::stringstream text;
  text << std::ifstream(json).rdbuf();
  const std::string report = text.str();
  if (report.find("\"outcome\": \"failed\"") == std::string::npos) return std::nullopt;
  const bool is_check = report.find("\"source\": \"check\"") != std::string::npos;
  if (is_check) return number_after(report, "executions", report.find("\"coverage\""));
  std::optional<std::uint64_t> first;
  for (std::size_t at = 0; (at = report.find("\"execution\":", at)) != std::string::npos; ++at)
    first = std::min(first.value_or(~std::uint64_t{0}), *number_after(report, "execution", at));
  return first;
}

struct Mean {
  double executions = 0;
  bool always = true;
};

Mean mean_of(const Subject& subject, const std::string& strategy, unsigned seeds, const std::filesystem::path& folder) {
  // Without chance, all seeds are alike, but for the tests of a check.
  const bool by_chance = subject.program == MUSTER_LINEUP_CHECKS || (strategy != "dfs" && strategy != "dpor");
  Mean mean;
  const unsigned runs = by_chance ? seeds : 1;
  for (unsigned seed = 1; seed <= runs && mean.always; ++seed) {
    const auto executions = executions_of(subject, strategy, seed, folder);
    mean.always = executions.has_value();
    mean.executions += static_cast<double>(executions.value_or(0)) / runs;
  }
  return mean;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned seeds = 10;
  std::string only;
  CLI::App app{"After how many executions each fault is found"};
  app.add_option("--seeds", seeds, "Runs with each strategy that draws")->capture_default_str();
  app.add_option("--only", only, "Subjects whose name has this in it");
  CLI11_PARSE(app, argc, argv);
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("first_finding.{}", getpid());
  std::filesystem::create_directories(folder);
  fmt::print("{:36}", "subject");
  for (const char* strategy : strategies) fmt::print("{:>12}", strategy);
  fmt::print("\n");
  unsigned subjects = 0, good = 0, found = 0;
  for (const Subject& subject : broken_subjects(only)) {
    std::array<Mean, strategies.size()> means;
    std::optional<double> best;
    fmt::print("{:36}", subject.name);
    for (std::size_t i = 0; i < strategies.size(); ++i) {
      means[i] = mean_of(subject, strategies[i], seeds, folder);
      if (means[i].always && i > 0) best = std::min(best.value_or(means[i].executions), means[i].executions);
      fmt::print("{:>12}", means[i].always ? fmt::format("{:.0f}", means[i].executions) : "-");
    }
    const bool is_good = means[0].always && (!best || means[0].executions <= 2 * *best + 200);
    fmt::print("{}\n", is_good ? "" : "  *");
    std::fflush(stdout);
    ++subjects;
    found += means[0].always;
    good += is_good;
  }
  fmt::print(
      "{} subjects; the default finds {} with every seed, {} with at most twice the executions of the best and 200 "
      "more\n",
      subjects, found, good);
  std::filesystem::remove_all(folder);
  return found == subjects && good * 10 >= subjects * 9 ? 0 : 1;
}
