// The main of test programs that are built without instrumentation: everything runs on real threads, without control.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <limits>
#include <optional>

#include "base/error.hpp"
#include "command/duration.hpp"
#include "command/edge.hpp"
#include "command/suggest.hpp"
#include "command/values.hpp"
#include "report/files.hpp"
#include "report/progress_line.hpp"
#include "report/terminal.hpp"
#include "stress/stress_subjects.hpp"

namespace muster {
namespace {

constexpr auto any_number = std::numeric_limits<std::uint64_t>::max();
volatile std::sig_atomic_t interrupted = 0;

struct Options {
  std::vector<std::string> names;
  bool list = false, quiet = false;
  TestChoice tests;
  StressCheckOptions check;
  std::uint64_t scenario_runs = 1000;
  double patience = 2;
  std::string budget;
  ReportFiles files;
};

void add_flags(CLI::App& app, Options& options) {
  app.add_option("names", options.names, "Scenarios and checks to run (default: all)");
  app.add_flag("--list", options.list, "List the scenarios and checks and stop");
  app.add_option("--runs", options.check.runs, "Checks: runs of each test")
      ->capture_default_str()
      ->check(whole_number(1, any_number));
  app.add_option("--scenario-runs", options.scenario_runs, "Runs of each scenario")
      ->capture_default_str()
      ->check(whole_number(1, any_number));
  app.add_option("--size", options.tests.size, "Checks: random tests of so many threads x operations")
      ->capture_default_str();
  app.add_option("--tests", options.tests.tests, "Checks: so many random tests")
      ->capture_default_str()
      ->check(whole_number(1, any_number));
  app.add_option("--seed", options.tests.seed, "Of the random tests, and of what muster::choose gives")
      ->capture_default_str()
      ->check(whole_number(0, any_number));
  app.add_option("--matrix", options.tests.matrices,
                 "Checks: this test, as 'first: Add(1) | Add(2), TryTake | TryTake'; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--patience", options.patience, "Seconds without any progress after which a run is given up")
      ->capture_default_str()
      ->check(some_seconds());
  app.add_option(
      "--budget", options.budget,
      "Stop after so long by the clock: 60s, 5m. Each scenario and check has an equal share of what is left");
  app.add_flag("--classic", options.check.classic,
               "Checks: judge by classic linearizability, which never objects to blocking");
  app.add_flag("--all-tests", options.check.keep_going, "Checks: run all tests, whatever fails");
  add_report_flags(app, options.files);
  app.add_flag("--quiet,-q", options.quiet, "Print findings only");
  app.footer(
      "This program was built without Muster's instrumentation: its scenarios and checks run on real threads, as "
      "often\n"
      "as asked, and nothing is exhausted. Build it with muster_add_check to explore every schedule that matters.\n"
      "Examples:\n  PROGRAM                                 every scenario and check\n"
      "  PROGRAM channel --runs 1000 --seed 7    one check, more runs, other tests\n"
      "Exit codes: 0 no finding, 1 a finding, 2 bad input, 3 undecided.");
}

void require_known(const Options& options) {
  for (const std::string& name : options.names) {
    bool known = false;
    for (const Scenario& scenario : scenarios()) known |= scenario.name == name;
    for (const auto& check : checks()) known |= check->name == name;
    if (!known) fail("there is no scenario or check '{}' here; --list shows what there is", name);
  }
}

void list() {
  for (const Scenario& scenario : scenarios()) fmt::print("{}\n", scenario.name);
  for (const auto& check : checks()) fmt::print("{}\n", check->name);
}

StressPlanOfAll plan_of(const Options& options) {
  StressPlanOfAll plan;
  const auto add = [&](const Subject& subject) {
    const auto& names = options.names;
    if (names.empty() || std::ranges::find(names, subject.name()) != names.end()) plan.subjects.push_back(subject);
  };
  for (const Scenario& scenario : scenarios()) add({.scenario = &scenario});
  for (const auto& check : checks()) add({.check = check.get()});
  plan.tests = options.tests;
  plan.scenario_runs = options.scenario_runs;
  plan.options = options.check;
  plan.options.stress.seed = options.tests.seed;
  plan.options.stress.patience = std::chrono::milliseconds(static_cast<long>(options.patience * 1000));
  plan.options.interrupted = [] { return interrupted != 0; };
  if (!options.budget.empty()) plan.options.deadline = Halt::after(parse_seconds(options.budget, "--budget"));
  return plan;
}

/// Prints results as they come, and writes the reports at the end.
class Output {
 public:
  Output(const Options& options, const char* program)
      : options_(options), style_(TerminalStyle::for_file(stdout, program)) {
    report_.program = program;
  }

  ExitCode run(const StressPlanOfAll& plan) {
    stress_all(plan,
               {.progress = [this](const Subject& subject, const StressProgress& progress) { show(subject, progress); },
                .tell = [this](const Result& result) { tell(result); },
                .complain = [this](const Subject& subject, const Error& error) { complain(subject, error); }});
    try {
      write_files(options_.files, report_);
    } catch (const Error& error) {
      print_error(error);
    }
    return code_;
  }

 private:
  void show(const Subject& subject, const StressProgress& progress) {
    if (!line_) line_.emplace();
    line_->show(describe(progress, subject.name(), line_->seconds()));
  }

  void tell(const Result& result) {
    line_.reset();
    if (!options_.quiet || !result.findings.empty()) fmt::print("{}", draw(result, style_));
    std::fflush(stdout);
    report_.results.push_back(result);
    code_ = worse(code_, exit_code(result.outcome));
  }

  void complain(const Subject& subject, const Error& error) {
    line_.reset();
    print_error(error);
    report_.results.push_back(mistaken(subject.name(), subject.source(), error.what()));
  }

  void print_error(const Error& error) {
    fmt::print(stderr, "{}: {}\n", style_.program, error.what());
    code_ = worse(code_, ExitCode::bad_input);
  }

  const Options& options_;
  TerminalStyle style_;
  Report report_;
  std::optional<ProgressLine> line_;  // of the one that is run
  ExitCode code_ = ExitCode::no_finding;
};

int run(int argc, char** argv) {
  Options options;
  const char* const program = argc > 0 ? argv[0] : "program";
  CLI::App app{"Runs scenarios and checks on real threads (stress mode)", program};
  add_flags(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return explain_usage(app, error);
  }
  std::signal(SIGINT, [](int) { interrupted = 1; });
  if (options.list) return list(), 0;
  require_known(options);
  require_writable(options.files);
  const StressPlanOfAll plan = plan_of(options);
  if (!options.quiet)
    fmt::print("Stress mode: built without instrumentation, so on real threads and without control.\n");
  return static_cast<int>(Output(options, program).run(plan));
}

}  // namespace
}  // namespace muster

/// What the `main` of such a program calls.
extern "C" __attribute__((visibility("default"))) int muster_main(int argc, char** argv) {
  return muster::run_to_the_edge(argc > 0 ? argv[0] : "muster", muster::run, argc, argv);
}
