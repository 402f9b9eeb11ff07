// The main of test programs that are built without instrumentation: everything runs on real threads, without control.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <csignal>

#include "base/error.hpp"
#include "check/stress_result.hpp"
#include "command/edge.hpp"
#include "command/suggest.hpp"
#include "report/files.hpp"
#include "report/progress_line.hpp"
#include "report/terminal.hpp"

namespace muster {
namespace {

volatile std::sig_atomic_t interrupted = 0;

struct Options {
  std::vector<std::string> names;
  bool list = false, quiet = false;
  TestChoice tests;
  StressCheckOptions check;
  std::uint64_t scenario_runs = 1000;
  double patience = 2, budget = 0;
  ReportFiles files;
};

void add_flags(CLI::App& app, Options& options) {
  app.add_option("names", options.names, "Scenarios and checks to run (default: all)");
  app.add_flag("--list", options.list, "List the scenarios and checks and stop");
  app.add_option("--runs", options.check.runs, "Checks: runs of each test")->capture_default_str();
  app.add_option("--scenario-runs", options.scenario_runs, "Runs of each scenario")->capture_default_str();
  app.add_option("--size", options.tests.size, "Checks: random tests of so many threads x operations")
      ->capture_default_str();
  app.add_option("--tests", options.tests.tests, "Checks: so many random tests")->capture_default_str();
  app.add_option("--seed", options.tests.seed, "Of the random tests, and of what muster::choose gives")
      ->capture_default_str();
  app.add_option("--matrix", options.tests.matrices,
                 "Checks: this test, as 'first: Add(1) | Add(2), TryTake | TryTake'");
  app.add_option("--patience", options.patience, "Seconds without any progress after which a run is given up")
      ->capture_default_str();
  app.add_option("--budget", options.budget, "Stop a check after so many seconds");
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

ExitCode tell(const Result& result, const TerminalStyle& style, bool quiet, Report& report) {
  report.results.push_back(result);
  if (!quiet || !result.findings.empty()) fmt::print("{}", draw(result, style));
  std::fflush(stdout);
  return exit_code(result.outcome);
}

bool is_chosen(const Options& options, const std::string& name) {
  return options.names.empty() || std::find(options.names.begin(), options.names.end(), name) != options.names.end();
}

void require_known(const Options& options) {
  for (const std::string& name : options.names) {
    bool known = false;
    for (const Scenario& scenario : scenarios()) known |= scenario.name == name;
    for (const auto& check : checks()) known |= check->name == name;
    if (!known) fail("there is no scenario or check '{}' here; --list shows what there is", name);
  }
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app{"Runs scenarios and checks on real threads (stress mode)", argc > 0 ? argv[0] : "program"};
  add_flags(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return explain_usage(app, error);
  }
  options.check.stress.seed = options.tests.seed;
  options.check.stress.patience = std::chrono::milliseconds(static_cast<long>(options.patience * 1000));
  options.check.interrupted = [] { return interrupted != 0; };
  std::signal(SIGINT, [](int) { interrupted = 1; });
  if (options.list) {
    for (const Scenario& scenario : scenarios()) fmt::print("{}\n", scenario.name);
    for (const auto& check : checks()) fmt::print("{}\n", check->name);
    return 0;
  }
  require_known(options);
  if (!options.quiet)
    fmt::print("Stress mode: built without instrumentation, so on real threads and without control.\n");
  const TerminalStyle style = TerminalStyle::for_file(stdout, argc > 0 ? argv[0] : "program");
  ExitCode code = ExitCode::no_finding;
  Report report{.program = style.program, .shards = {}, .results = {}};
  bool some_are_wrong = false;
  const auto watched = [&](const std::string& name, const char* source, const auto& work) {
    ProgressLine line;
    options.check.progress = [&](const StressProgress& progress) {
      line.show(describe(progress, name, line.seconds()));
    };
    try {
      const Result result = work();
      line.clear();
      code = worse(code, tell(result, style, options.quiet, report));
    } catch (const Error& error) {  // what is wrong with one must not lose what the others show
      line.clear();
      fmt::print(stderr, "{}: {}\n", style.program, error.what());
      report.results.push_back(mistaken(name, source, error.what()));
      some_are_wrong = true;
    }
  };
  for (const Scenario& scenario : scenarios()) {
    if (!is_chosen(options, scenario.name) || interrupted) continue;
    watched(scenario.name, "scenario", [&] { return stress_scenario(scenario, options.scenario_runs, options.check); });
  }
  for (const auto& check : checks()) {
    if (!is_chosen(options, check->name) || interrupted) continue;
    if (options.budget > 0) {
      options.check.deadline =
          std::chrono::steady_clock::now() + std::chrono::milliseconds(static_cast<long>(options.budget * 1000));
    }
    watched(check->name, "check", [&] { return stress_check(*check, options.tests, options.check); });
  }
  write_files(options.files, report);
  return static_cast<int>(some_are_wrong ? ExitCode::bad_input : code);
}

}  // namespace
}  // namespace muster

/// What the `main` of such a program calls.
extern "C" __attribute__((visibility("default"))) int muster_main(int argc, char** argv) {
  return muster::run_to_the_edge(argc > 0 ? argv[0] : "muster", muster::run, argc, argv);
}
