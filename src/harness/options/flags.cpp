#include "harness/options/flags.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <limits>
#include <regex>

#include "base/error.hpp"
#include "command/duration.hpp"
#include "command/manual.hpp"
#include "command/suggest.hpp"
#include "command/values.hpp"
#include "harness/options/heap_policy.hpp"
#include "rule/test_source.hpp"
#include "schedule/depth_first_strategy.hpp"
#include "spec/builtin.hpp"

namespace muster {
namespace {

constexpr auto any_number = std::numeric_limits<std::uint64_t>::max();

void require_expression(const std::string& text) {
  try {
    const std::regex expression(text);
  } catch (const std::regex_error& error) {
    fail("--suppress: '{}' is no regular expression: {}", text, error.what());
  }
}

/// What the environment says is asked for in worker processes, where it is too late to complain.
void require_known_environment() {
  const char* threads = std::getenv("MUSTER_THREADS");
  const std::string_view asked = threads ? threads : "";
  if (!asked.empty() && asked != "fiber" && asked != "kernel")
    fail("MUSTER_THREADS in the environment is 'fiber' or 'kernel', not '{}'", asked);
}

/// Everything the command line can say, before it is understood.
struct Flags {
  std::string strategy = "portfolio", bound = "2", budget, heap = "quarantine", symmetry = "none", memory_model = "sc";
  std::string tests = "100", test_budget, shard, completion;
  bool unbounded = false, no_races = false, no_leaks = false, from_start = false;
};

/// Puts the flags that stand under no heading of the help yet under this one.
void head(CLI::App& app, const std::string& heading) {
  for (CLI::Option* option : app.get_options()) {
    const bool is_flag = option->nonpositional() && option != app.get_help_ptr();
    if (is_flag && option->get_group() == "Options") option->group(heading);
  }
}

void add_actions(CLI::App& app, HarnessOptions& options, Flags& flags) {
  app.add_option("--list", options.list_what,
                 "List the scenarios and checks and stop; or what checks do: tests, or the histories that their tests "
                 "have serially, as a tree")
      ->expected(0, 1)
      ->type_name("[names|tests|histories]");
  app.add_flag("--list-tests", options.list_tests, "Checks: list the tests that would be run and stop");
  app.add_flag("--estimate", options.estimate,
               "Say about how many executions the search would make (complete ones, with --unbounded), told by drawing "
               "some at random, and stop");
  app.add_option("--replay", options.replay,
                 "Run one schedule again: a saved failure (queue-1), or NAME and a schedule string");
  app.add_option("--recheck", options.recheck,
                 "Run a saved failure again, and if it does not fail explore its scenario or test");
  app.add_option("--verify-replay", options.verify_replay,
                 "Scenarios: draw so many schedules, run each again from its printed form, and compare every event");
  app.add_option("--completion", flags.completion, "Print a completion script for this program and stop")
      ->check(one_of({"bash", "zsh", "fish"}));
  head(app, "Instead of a search");
}

void add_search_flags(CLI::App& app, HarnessOptions& options, Flags& flags) {
  app.add_option("--strategy", flags.strategy,
                 "Drawn executions, then all schedules within the bound, first of all tests without preemptions, and "
                 "reduction where that is cheaper (portfolio); all schedules within the bound, test by test (dfs); one "
                 "of each class of schedules that cannot be told apart, "
                 "without a bound unless one is given (dpor); samples (random, pct, pos, surw); checks: first what "
                 "executions without preemptions let expect of every test, then dfs (predict)")
      ->check(one_of(strategy_names()))
      ->capture_default_str();
  app.add_option("--bound", flags.bound, "Preemptions at most, iterated from 0 in each test, or 'unbounded'")
      ->capture_default_str();
  app.add_flag("--unbounded", flags.unbounded,
               "Leave no schedule out: --strategy dpor, or another one that is given, without a bound");
  app.add_option("--symmetry", flags.symmetry,
                 "Checks, with --unbounded or --strategy dpor: explore threads that make the same calls under one "
                 "naming only (threads), also if their arguments differ, which then must be only data (data). "
                 "Assumes that the code does not look at who calls")
      ->check(one_of({"none", "threads", "data"}))
      ->capture_default_str();
  app.add_option("--late-yields", options.strategy.late_yields, "Late yields at most, iterated from 0")
      ->capture_default_str()
      ->check(whole_number());
  app.add_option("--executions", options.strategy.executions, "Executions of a random strategy")
      ->check(whole_number(1, any_number))
      ->capture_default_str();
  app.add_option("--seed", options.strategy.seed, "Seed of random tests, and of a random strategy")
      ->capture_default_str()
      ->check(whole_number(0, any_number));
  app.add_option("--depth", options.strategy.depth, "Bug depth that PCT aims at")
      ->check(whole_number(1, 64))
      ->capture_default_str();
  app.add_option(
      "--budget", flags.budget,
      "Stop after so long by the clock: 60s, 5m. Each scenario and check has an equal share of what is left");
  app.add_option("--jobs,-j", options.explore.jobs, "Worker processes")
      ->check(whole_number(1, 256))
      ->capture_default_str();
  app.add_option("--heap", flags.heap,
                 "Freed blocks are never given out again (quarantine), or again to the thread that freed them (reuse), "
                 "or to any (shared-reuse)")
      ->check(one_of({"quarantine", "reuse", "shared-reuse"}))
      ->capture_default_str();
  app.add_option("--memory-model", flags.memory_model,
                 "Values of atomics: the newest only (sc), or also the older ones "
                 "that C++ lets a thread read, by the orders of acquire, release and relaxed accesses (c11)")
      ->check(one_of({"sc", "c11"}))
      ->capture_default_str();
  app.add_option("--spurious", options.explore.runtime.spurious_failures,
                 "Spurious failures of weak compare-exchanges, waits and try-locks, at most so many an execution")
      ->capture_default_str()
      ->check(whole_number());
  app.add_flag("--from-start", flags.from_start,
               "Run every execution from its start, also where it could go on from a point that was saved: slower, the "
               "same results");
  app.add_option("--step-limit", options.explore.runtime.step_limit, "Steps after which an execution is cut: undecided")
      ->capture_default_str()
      ->check(whole_number(1, any_number));
  app.add_option("--standstill", options.explore.runtime.standstill,
                 "Steps without a write after which spinning threads are checked for a livelock; lower finds more and "
                 "costs more")
      ->capture_default_str()
      ->check(whole_number(1));
  app.add_option("--hang", options.explore.hang_seconds,
                 "Seconds without a scheduling point that count as a possible hang")
      ->capture_default_str()
      ->check(some_seconds());
  app.add_flag("--keep-going", options.keep_going, "Do not stop a scenario at its first finding");
  app.add_flag("--all-findings", options.all_findings,
               "Report each of several findings that are alike, as races at the same two lines are");
  app.add_flag("--require-exhausted", options.require_exhausted,
               "A search that was not exhausted is undecided (exit code 3)");
  head(app, "The search");
}

void add_finding_flags(CLI::App& app, HarnessOptions& options, Flags& flags) {
  app.add_flag("--no-races", flags.no_races, "Races are no finding; what comes of one is");
  app.add_flag("--no-leaks", flags.no_leaks, "Blocks alive at the end are no finding");
  app.add_option("--suppress", options.suppressions,
                 "Races in functions or files that match this regular expression are no finding; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--describe", options.descriptions,
                 "What functions do that are not built with the program, read from this file; may be repeated")
      ->allow_extra_args(false);
  app.add_option(
         "--cause", options.cause_executions,
         "Executions in which it is looked for where a failure was bound to come; 0: nor is it told which order "
         "of two steps decides it")
      ->capture_default_str()
      ->check(whole_number(0, any_number));
  head(app, "What is a finding");
}

void add_test_flags(CLI::App& app, HarnessOptions& options, Flags& flags) {
  app.add_option("--size", options.size,
                 "Random tests of so many threads x operations; without it 3x3, or more threads where the roles or a "
                 "synchronisation ask for them");
  app.add_option("--tests", flags.tests,
                 "So many random tests; 'uniform', or 'uniform:50', draws them with the same chance for all instead of "
                 "with as many calls that take something out as put something in")
      ->capture_default_str();
  app.add_flag("--auto", options.automatic, "All tests of 1x1, 2x2 … over the first invocations; give a --budget");
  app.add_option("--matrix", options.matrices,
                 "This test, as 'first: Add(1) | Add(2), TryTake | TryTake'; may be repeated")
      ->allow_extra_args(false);
  app.add_flag("--all-tests", options.all_tests, "Run all tests, whatever fails");
  app.add_option("--test-budget", flags.test_budget, "A test that takes more processor time is undecided: 5s");
  app.add_option("--minimise", options.minimise, "Make so many failing tests small; 0 reports the first as it is")
      ->capture_default_str()
      ->check(whole_number());
  head(app, "Tests of checks");
}

void add_judge_flags(CLI::App& app, HarnessOptions& options) {
  app.add_flag("--classic", options.classic, "Judge by classic linearizability, which never objects to blocking");
  app.add_option("--observations", options.observations,
                 "Write what the one test of --matrix does serially to this file, as XML, or as a picture of a "
                 "tree to FILE.svg, and stop");
  app.add_option("--against", options.against,
                 "Judge by this observation file, and its test, instead of what is observed now");
  app.add_option("--quasi", options.quasi,
                 "Judge quasi-linearizability with these factors, as 'dequeue=2'; 0 is linearizability");
  app.add_option("--spec", options.spec,
                 "Judge quasi-linearizability by this built-in object: queue, stack, priority-queue …");
  app.add_option("--judge", options.judge,
                 "Checks with a synchronisation spec: automatic (by its shape), search, or two-step")
      ->check(one_of({"automatic", "search", "two-step"}))
      ->capture_default_str();
  app.add_option("--histories", options.histories,
                 "Write the distinct histories of the tests to this file, stuck ones marked so; goes on after "
                 "a failing one. Searches by classes leave out those with the answers of one that was judged and "
                 "fewer operations in order");
  head(app, "What checks are judged by");
}

void add_stress_flags(CLI::App& app, HarnessOptions& options) {
  app.add_flag("--stress", options.stress, "Run on real threads, without control: many runs, nothing is exhausted");
  app.add_option("--runs", options.stress_runs,
                 "With --stress: runs of each test of a check (100) or of each scenario (1000)")
      ->check(whole_number(1, any_number));
  app.add_option("--patience", options.patience,
                 "With --stress: seconds without any progress after which a run is given up")
      ->capture_default_str()
      ->check(some_seconds());
  head(app, "On real threads");
}

void add_part_flags(CLI::App& app, HarnessOptions& options, Flags& flags) {
  app.add_option("--shard", flags.shard,
                 "Do one part of the work, such as 2/4; GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX say the same");
  app.add_option("--checkpoint", options.checkpoint,
                 "When the run is stopped by Ctrl-C or its budget, write here how far it got");
  app.add_option("--resume", options.resume, "Go on where the run stopped that wrote this checkpoint");
  head(app, "Long runs");
}

void add_output_flags(CLI::App& app, HarnessOptions& options) {
  add_report_flags(app, options.files);
  app.add_option("--summary", options.summary, "Checks: add a line of figures to this CSV file for each");
  app.add_flag("--quiet,-q", options.quiet, "Print findings only");
  app.add_option("--folder", options.folder, "Where failures are saved")->capture_default_str();
  head(app, "Reports");
}

void add_flags(CLI::App& app, HarnessOptions& options, Flags& flags) {
  app.add_option("names", options.names, "Scenarios and checks to run (default: all)");
  add_actions(app, options, flags);
  add_search_flags(app, options, flags);
  add_finding_flags(app, options, flags);
  add_test_flags(app, options, flags);
  add_judge_flags(app, options);
  add_stress_flags(app, options);
  add_part_flags(app, options, flags);
  add_output_flags(app, options);
  app.footer(
      "Examples:\n  PROGRAM                            explore every scenario and check\n  PROGRAM --replay queue-1    "
      "       run a saved failure again\n"
      "  PROGRAM --unbounded --estimate     is it worth trying without a bound?\n"
      "  PROGRAM --html report.html         write the report as a page\n  PROGRAM --shard 2/4 --json 2.json  one of "
      "four parts; muster merge puts them together\n"
      "Exit codes: 0 no finding, 1 a finding, 2 bad input, 3 undecided.");
}

void require_consistent(const HarnessOptions& options, const Flags& flags, const CLI::App& app) {
  if (flags.unbounded && app.count("--bound") > 0 && flags.bound != "unbounded")
    fail(
        "--unbounded leaves no schedule out, and --bound {0} does: --strategy dpor --bound {0} searches by classes "
        "within a bound",
        flags.bound);
  for (const char* flag : {"--runs", "--patience"}) {
    if (app.count(flag) > 0 && !options.stress) fail("{} is for runs on real threads: add --stress", flag);
  }
  for (const std::string& expression : options.suppressions) require_expression(expression);
}

void set_memory_model(HarnessOptions& options, const Flags& flags, bool asked) {
  if (asked && options.stress)
    fail("--memory-model says which values executions have, and --stress runs on real threads");
  const bool c11 = flags.memory_model == "c11", follows_a_recording = options.strategy.kind == StrategyKind::predict;
  if (asked && c11 && follows_a_recording)
    fail("--memory-model c11 does not go with --strategy predict, which follows one recorded run");
  if (c11 && !follows_a_recording) options.explore.runtime.memory_model = MemoryModel::c11;
}

/// "50", "uniform" or "uniform:50".
void understand_tests(HarnessOptions& options, std::string text) {
  constexpr std::string_view uniform = "uniform";
  options.uniform_tests = text.starts_with(uniform);
  if (text == uniform) return;
  if (options.uniform_tests && text[uniform.size()] == ':') text.erase(0, uniform.size() + 1);
  const bool is_number =
      !text.empty() && text.size() <= 18 && text.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number || std::stoull(text) == 0) fail("--tests takes a number, 'uniform' or 'uniform:50', not '{}'", text);
  options.tests = std::stoull(text);
}

void understand(HarnessOptions& options, const Flags& flags, const CLI::App& app) {
  require_consistent(options, flags, app);
  const bool reduces = flags.strategy == "dpor" || (flags.unbounded && app.count("--strategy") == 0);
  options.strategy.kind = reduces ? StrategyKind::reduction : strategy_of(flags.strategy);
  if (flags.unbounded || flags.bound == "unbounded" || (reduces && app.count("--bound") == 0)) {
    options.strategy.preemptions = DepthFirstBounds::unbounded;
  } else {
    if (flags.bound.empty() || flags.bound.find_first_not_of("0123456789") != std::string::npos ||
        flags.bound.size() > 4) {
      fail("--bound takes a number or 'unbounded', not '{}'", flags.bound);
    }
    options.strategy.preemptions = static_cast<unsigned>(std::stoul(flags.bound));
  }
  options.strategy.symmetry = flags.symmetry == "threads" ? Symmetry::threads
                              : flags.symmetry == "data"  ? Symmetry::data
                                                          : Symmetry::none;
  if (options.strategy.symmetry != Symmetry::none && !reduces)
    fail("--symmetry is for searches by classes: add --unbounded, or --strategy dpor with a --bound");
  set_memory_model(options, flags, app.count("--memory-model") > 0);
  if (!flags.budget.empty()) options.budget_seconds = parse_seconds(flags.budget, "--budget");
  if (!flags.test_budget.empty()) options.test_seconds = parse_seconds(flags.test_budget, "--test-budget");
  options.explore.runtime.heap = parse_heap_policy(flags.heap);
  options.report_races = !flags.no_races;
  options.explore.runtime.leaks = !flags.no_leaks;
  options.explore.runtime.from_start = flags.from_start;
  if (!options.list_what.empty() && options.list_what != "names" && options.list_what != "tests" &&
      options.list_what != "histories")
    fail("--list takes names, tests or histories, not '{}'", options.list_what);
  if (!options.size.empty()) parse_size(options.size);
  understand_tests(options, flags.tests);
  options.strategy.shares.growth = options.budget_seconds > 0 ? 1'000 : 0;
  if (!options.spec.empty() && !find_spec(options.spec))
    fail("--spec takes {}, not '{}'{}", fmt::join(spec_names(), ", "), options.spec,
         did_you_mean(options.spec, spec_names()));
  options.shard = flags.shard.empty() ? shard_of_environment() : parse_shard(flags.shard);
}

/// In quotes where a shell would not take it for one word.
std::string quoted(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=/.,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// The same command again, going on from its checkpoint.
std::string resume_command(int argc, char** argv, const std::string& checkpoint) {
  std::string command;
  for (int i = 0; i < argc; ++i) {
    const std::string word = argv[i], flag = word.substr(0, word.find('='));
    if (flag != "--checkpoint" && flag != "--resume")
      command += quoted(word) + " ";
    else if (flag == word)
      ++i;  // its value
  }
  return fmt::format("{0}--resume {1} --checkpoint {1}", command, quoted(checkpoint));
}

}  // namespace

std::optional<int> read_command_line(int argc, char** argv, HarnessOptions& options) {
  Flags flags;
  options.program = argc > 0 ? argv[0] : "program";
  options.explore.jobs = 1;
  CLI::App app{"Runs scenarios under every schedule that matters", options.program};
  add_flags(app, options, flags);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return explain_usage(app, error);
  }
  if (!flags.completion.empty()) {
    app.name(options.program.substr(options.program.rfind('/') + 1));
    fmt::print("{}", completion_script(app, flags.completion == "bash"  ? Shell::bash
                                            : flags.completion == "zsh" ? Shell::zsh
                                                                        : Shell::fish));
    return 0;
  }
  if (app.count("--list") > 0 && options.list_what.empty()) options.list_what = "names";  // the flag alone
  require_known_environment();
  understand(options, flags, app);
  options.resume_command = resume_command(argc, argv, options.checkpoint);
  return std::nullopt;
}

}  // namespace muster
