// What do calls of functions that are not watched cost? A queue of oneTBB allocates in the library: the same search as
// it is, and with its functions described as harmless, so that none of them has a stub. And a search of a program that
// calls nothing of the kind, which has no stubs.

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace {

/// Executions a CPU second, and whether the report names calls.
struct Figures {
  double rate = 0;
  bool names_calls = false;
};

double number(std::string text) {
  std::erase(text, ',');
  return std::atof(text.c_str());
}

Figures run(const std::string& command, const std::string& folder) {
  // Short, so that both searches meet the same moments of the machine; one after the other they go over the same tree.
  std::FILE* pipe = popen(fmt::format("{} --budget 1s --folder {}/saved 2>&1", command, folder).c_str(), "r");
  std::string out;
  char chunk[4096];
  while (const std::size_t n = std::fread(chunk, 1, sizeof chunk, pipe)) out.append(chunk, n);
  pclose(pipe);
  Figures figures{.rate = 0, .names_calls = out.find("Called, and not watched") != std::string::npos};
  const std::regex coverage("([0-9,]+) executions?[^;]*?([0-9.]+) s(?: \\(([0-9.]+) s CPU\\))?[,;.]");
  std::smatch match;
  if (!std::regex_search(out, match, coverage)) {
    fmt::print("{}\n{}\n", command, out);
    std::exit(1);
  }
  figures.rate = number(match[1]) / number(match[match[3].matched ? 3 : 2]);
  return figures;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// Both searches in turn, so that what else the machine does slows both down.
void compare(const char* name, const std::string& command, const std::string& baseline, const std::string& folder) {
  constexpr int rounds = 15;
  std::vector<double> rates, ratios;
  bool names_calls = false;
  for (int i = 0; i < rounds; ++i) {
    const Figures of_baseline = run(baseline, folder), figures = run(command, folder);
    rates.push_back(figures.rate);
    ratios.push_back(figures.rate / of_baseline.rate);
    names_calls |= figures.names_calls;
  }
  fmt::print("{:<10} {:>9.0f} executions a CPU second, {:.2f} times those without stubs{}\n", name, median(rates),
             median(ratios), names_calls ? "" : " (it calls nothing that is not watched)");
}

}  // namespace

int main() {
  const std::string folder = (std::filesystem::temp_directory_path() / "muster-bench-unwatched").string();
  std::filesystem::create_directories(folder);
  const std::string harmless = folder + "/harmless.txt";
  std::ofstream file(harmless);
  for (const char* function : {"cache_aligned_allocate", "cache_aligned_deallocate", "allocate_memory",
                               "deallocate_memory", "throw_exception"})
    file << "tbb::detail::r1::" << function << ": harmless\n";
  file.close();
  const auto described = [&](const std::string& command) { return command + " --describe " + harmless; };
  const std::string tbb = MUSTER_BENCH_TBB
      " tbb --matrix 'push(1), push(2), pop | pop, push(3), pop | push(4), pop, pop' --late-yields 0 --suppress .";
  compare("tbb", tbb, described(tbb), folder);
  const std::string none = MUSTER_BENCH_SUBJECTS
      " michael_scott --matrix 'push(1) | push(2) | pop | pop' --strategy dfs --bound unbounded --late-yields 0 "
      "--suppress .";
  compare("none", none, described(none), folder);
  std::filesystem::remove_all(folder);
  return 0;
}
