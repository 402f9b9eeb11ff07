// How many executions a CPU second does the controlled scheduler make, and what does each safety cost? Every line runs
// one test of one structure, as it is, with each execution from its start, on kernel threads, and with two workers; the
// calibration loop beside them says how fast this machine is at the moment.

#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string>
#include <utility>

namespace {

struct Subject {
  const char* program;
  const char* name;
  const char* test;
  const char* bound;
  double target;   // executions a second
  unsigned tests;  // the test so many times over: small ones take too little time to be measured
};

constexpr std::array subjects{
    Subject{MUSTER_BENCH_SUBJECTS, "treiber", "push(1) | push(2) | pop | pop", "--strategy dfs --bound unbounded",
            1'200'000, 200},
    Subject{MUSTER_BENCH_SUBJECTS, "michael_scott", "push(1) | push(2) | pop | pop", "--strategy dfs --bound unbounded",
            800'000, 1},
    Subject{MUSTER_BENCH_TBB, "tbb", "push(1), push(2), pop | pop, push(3), pop | push(4), pop, pop",
            "--strategy dfs --bound 2", 250'000, 4},
    Subject{MUSTER_BENCH_SUBJECTS, "boost", "push(1), push(2), pop | pop, push(3), pop | push(4), pop, pop",
            "--strategy dfs --bound 2", 100'000, 4},
    Subject{MUSTER_BENCH_SUBJECTS, "moodycamel", "push(1), push(2), pop | pop, push(3), pop | push(4), pop, pop",
            "--strategy dfs --bound 2", 60'000, 1},
};

struct Figures {
  double executions = 0, seconds = 0, cpu_seconds = 0, histories = 0;
  bool exhausted = false;
  double rate() const { return cpu_seconds > 0 ? executions / cpu_seconds : 0; }
};

double number(const std::string& text) {
  std::string digits;
  for (const char c : text) {
    if (c != ',') digits += c;
  }
  return std::atof(digits.c_str());
}

Figures run(const Subject& subject, const std::string& flags, const std::string& environment = "",
            const char* budget = "8s") {
  const std::string folder = (std::filesystem::temp_directory_path() / "muster-bench").string();
  std::filesystem::remove_all(folder);
  std::string tests;
  for (unsigned i = 0; i < subject.tests; ++i)
    tests += fmt::format("--matrix '{}' ", subject.test);  // a scenario has none
  const char* late_yields = flags.find("--late-yields") == std::string::npos ? "--late-yields 0" : "";
  const std::string command =
      fmt::format("{} {} {} {} {} {} --budget {} --suppress . --folder {} {} 2>&1", environment, subject.program,
                  subject.name, tests, late_yields, subject.bound, budget, folder, flags);
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string out;
  char chunk[4096];
  while (const std::size_t n = std::fread(chunk, 1, sizeof chunk, pipe)) out.append(chunk, n);
  pclose(pipe);
  std::filesystem::remove_all(folder);
  Figures figures;
  std::smatch match;
  if (std::regex_search(out, match,
                        std::regex("([0-9,]+) executions?[^;]*?([0-9.]+) s(?: \\(([0-9.]+) s CPU\\))?[,;.]"))) {
    figures.executions = number(match[1]);
    figures.seconds = number(match[2]);
    figures.cpu_seconds = number(match[match[3].matched ? 3 : 2]);  // told from a second on
  }
  if (std::regex_search(out, match, std::regex("([0-9,]+) histories"))) figures.histories = number(match[1]);
  figures.exhausted = out.find("not exhausted") == std::string::npos;
  return figures;
}

/// The fastest of three: what else the machine does can only slow a search down.
Figures best(const Subject& subject, const std::string& flags) {
  Figures fastest = run(subject, flags);
  for (int again = 0; again < 2; ++again) {
    if (const Figures next = run(subject, flags); next.rate() > fastest.rate()) fastest = next;
  }
  return fastest;
}

/// Multiplications a second, in millions: a plain loop, to compare machines and moments with.
double calibrate() {
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t x = 1;
  for (int i = 0; i < 100'000'000; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
  volatile std::uint64_t sink = x;
  (void)sink;
  return 100 / std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Does memory stay flat? The largest process of a short search and of one of more than ten million executions.
void print_memory() {
  const auto largest_process = [] {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
  };
  Subject subject = subjects[1];
  const Figures few = run(subject, "", "", "2s");
  const double before = largest_process();
  Figures many;
  for (const char* budget : {"30s", "120s"}) {
    if (many.executions < 10'000'000) many = run(subject, "", "", budget);
  }
  fmt::print("memory: {:.1f} MiB at most up to {:.0f} executions, {:.1f} MiB up to {:.0f}\n", before, few.executions,
             largest_process(), many.executions);
}

/// How much faster are two workers than one, by the clock on the wall? Both searches go on for as long.
void print_workers() {
  constexpr Subject scenario{
      MUSTER_BENCH_SUBJECTS, "michael_scott_scenario", "", "--strategy dfs --bound unbounded", 0, 0};
  for (const Subject& subject : {subjects[1], scenario}) {
    const Figures one = run(subject, "--jobs 1"), two = run(subject, "--jobs 2");
    const auto by_the_clock = [](const Figures& f) { return f.seconds > 0 ? f.executions / f.seconds : 0; };
    fmt::print("{:<22} {:>9.0f} executions a second with one worker, {:>9.0f} with two: {:.2f} times as many\n",
               subject.name, by_the_clock(one), by_the_clock(two),
               by_the_clock(one) > 0 ? by_the_clock(two) / by_the_clock(one) : 0);
  }
}

/// Spin loops: what does a late yield cost, and does it show more?
void print_late_yields() {
  Subject subject = subjects[2];
  subject.tests = 1;
  const Figures without = run(subject, "", "", "60s"), with = run(subject, "--late-yields 1", "", "180s");
  for (const auto& [name, figures] : {std::pair{"none", without}, std::pair{"one", with}}) {
    fmt::print("tbb 3x3, late yields {:<5} {:>10.0f} executions {:>6.0f} histories {:>7.2f} s CPU, exhausted: {}\n",
               name, figures.executions, figures.histories, figures.cpu_seconds, figures.exhausted ? "yes" : "no");
  }
}

}  // namespace

int main() {
  const double speed = calibrate();
  fmt::print("calibration loop: {:.0f} million multiplications a second\n", speed);
  print_memory();  // first: the kernel tells the largest of all processes so far
  fmt::print("{:<14} {:>12} {:>10} {:>11} {:>9} {:>11} {:>9} {:>8} {:>9} {:>13}\n", "structure", "executions/s",
             "target", "from start", "histories", "histories/s", "exhausted", "kernel", "2 workers", "per Mmul/s");
  for (const Subject& subject : subjects) {
    const Figures all = best(subject, "");
    const Figures from_start = best(subject, "--from-start");
    const Figures kernel = run(subject, "", "MUSTER_THREADS=kernel");
    const Figures two = run(subject, "--jobs 2");
    fmt::print("{:<14} {:>12.0f} {:>10.0f} {:>11.0f} {:>9.0f} {:>11.0f} {:>9} {:>7.0f}x {:>8.2f}x {:>13.0f}\n",
               subject.name, all.rate(), subject.target, from_start.rate(), all.histories,
               all.cpu_seconds > 0 ? all.histories / all.cpu_seconds : 0, all.exhausted ? "yes" : "no",
               kernel.rate() > 0 ? all.rate() / kernel.rate() : 0,
               two.seconds > 0 && all.seconds > 0 ? (two.executions / two.seconds) / (all.executions / all.seconds) : 0,
               all.rate() / speed);
  }
  print_workers();
  print_late_yields();
  return 0;
}
