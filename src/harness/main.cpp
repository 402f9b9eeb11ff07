// The main of test programs: which scenarios to run, how, and what to print.

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/error.hpp"
#include "check/registry.hpp"
#include "check/stress_result.hpp"
#include "command/edge.hpp"
#include "harness/applicable_flags.hpp"
#include "harness/check_replay.hpp"
#include "harness/check_run.hpp"
#include "harness/checkpoint_file.hpp"
#include "harness/confirm.hpp"
#include "harness/estimates.hpp"
#include "harness/flags.hpp"
#include "harness/listing.hpp"
#include "harness/options.hpp"
#include "harness/progress.hpp"
#include "harness/record_run.hpp"
#include "harness/recorded_subject.hpp"
#include "harness/saved.hpp"
#include "harness/scenario_run.hpp"
#include "harness/subjects.hpp"
#include "harness/verify.hpp"
#include "instrument/control.hpp"
#include "report/progress_line.hpp"
#include "report/terminal.hpp"
#include "runtime/site_set.hpp"

namespace muster {
namespace {

volatile std::sig_atomic_t interrupted = 0;

bool under_debugger() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("TracerPid:")) return line.find_first_not_of(" \t0", 10) != std::string::npos;
  }
  return false;
}

/// "1-tp20-kALL", "1r-…": a schedule, no name of a file.
bool is_schedule(std::string_view text) {
  const auto end = text.find('-');
  if (!text.starts_with("1") || end == text.npos) return false;
  return std::ranges::all_of(text.substr(1, end - 1), [](char c) { return c >= 'a' && c <= 'z'; });
}

/// Why a run made of a saved failure tells of one test.
std::string alone(const std::string& file) {
  return fmt::format("No test was run but that of {}, which still fails. Without that file, or with --all-tests, all are run.", file);
}

class Session {
 public:
  explicit Session(HarnessOptions options) : options_(std::move(options)), style_(TerminalStyle::for_file(stdout, options_.program)) {}

  /// Runs what was asked for, and writes the reports of it, whatever came of it.
  ExitCode run() {
    report_.program = options_.program;
    if (!options_.shard.whole()) {
      report_.shards = {options_.shard.number};
      report_.shard_count = options_.shard.count;
    }
    if (!options_.resume.empty()) rest_ = load_checkpoint(options_.resume, options_);
    const ExitCode code = run_chosen();
    write_files(options_.files, report_);
    return some_check_is_wrong_ ? ExitCode::bad_input : code;
  }

 private:
  /// What is wrong with one check, which may show only when it runs, must not lose what the others show. Reports tell
  /// it as undecided.
  template <class Work>
  ExitCode unless_wrong(const CheckDefinition& check, const Work& work) {
    try {
      return work();
    } catch (const Error& error) {
      fmt::print(stderr, "{}: {}\n", options_.program, error.what());
      report_.results.push_back(mistaken(check.name, "check", error.what()));
      some_check_is_wrong_ = true;
      return ExitCode::no_finding;  // of what could be checked
    }
  }

  ExitCode run_chosen() {
    options_.list_tests |= options_.list_what == "tests";
    if (options_.list_what == "names") {
      list_names();
      return ExitCode::no_finding;
    }
    if (const auto file = take_recording_request()) return record_subject(*file, options_), ExitCode::no_finding;
    if (const auto folder = requested_confirmation())
      return confirm_subject(*folder, options_, symbolizer()), ExitCode::no_finding;
    if (!options_.replay.empty()) return replay();
    if (!options_.recheck.empty()) {
      const SavedFailure saved = load_saved(options_.folder, options_.recheck);
      adopt(saved);
      if (const auto again = fails_again(saved)) return *again;
      if (const auto* check = find_check(saved.subject)) {
        options_.matrices = {saved.test};
        return run_one(*check);
      }
      return explore_one(find_scenario(saved.subject));
    }
    if (scenarios().empty() && checks().empty()) fail("this program defines nothing to run: write MUSTER_SCENARIO(name) {{ … }} or MUSTER_CHECK(name) {{ … }}");
    std::vector<const Scenario*> chosen;
    std::vector<const CheckDefinition*> chosen_checks;
    for (const std::string& name : options_.names) {
      if (const auto* check = find_check(name)) chosen_checks.push_back(check);
      else chosen.push_back(&find_scenario(name));
    }
    if (options_.names.empty()) {
      for (const Scenario& scenario : scenarios()) chosen.push_back(&scenario);
      for (const auto& check : checks()) chosen_checks.push_back(check.get());
    }
    require_applicable(options_, chosen, chosen_checks);
    ExitCode code = ExitCode::no_finding;
    if (options_.stress) return stress(chosen, chosen_checks);
    if (options_.verify_replay > 0 && !chosen_checks.empty()) {
      fmt::print(stderr, "note: --verify-replay is for scenarios: the checks of this program are left out\n");
      chosen_checks.clear();
    }
    for (const CheckDefinition* check : chosen_checks) {
      if (interrupted) break;
      if (options_.estimate) {
        fmt::print("{}", estimate_line(*check, options_));
      } else if (!options_.observations.empty()) {
        write_observations(*check, options_);
      } else if (options_.list_tests) {
        list_tests(*check, options_);
      } else if (options_.list_what == "histories") {
        list_histories(*check, options_);
      } else if (!finished_before(check->name)) {
        code = worse(code, unless_wrong(*check, [&] {
                       const auto again = rest_.subject == check->name ? std::nullopt : try_saved(*check);
                       return again ? *again : run_one(*check);
                     }));
      }
    }
    std::uint64_t index = 0;
    for (const Scenario* scenario : chosen) {
      if (interrupted) break;
      if (!options_.shard.takes(index++) || finished_before(scenario->name)) continue;
      if (options_.estimate) {
        fmt::print("{}", estimate_line(*scenario, options_));
        continue;
      }
      if (options_.verify_replay > 0) {
        code = worse(code, verify(*scenario));
        continue;
      }
      const auto again = rest_.subject == scenario->name ? std::nullopt : try_saved(*scenario);
      code = worse(code, again ? *again : explore_one(*scenario));
    }
    return code;
  }

  /// By the run that wrote the checkpoint.
  bool finished_before(const std::string& name) {
    if (std::find(rest_.finished.begin(), rest_.finished.end(), name) == rest_.finished.end()) return false;
    if (!options_.quiet) fmt::print("{}: done before the checkpoint\n", name);
    return true;
  }

  /// What is left of `name` if it was stopped; else it is finished. Written each time, since a later subject may be stopped too.
  void keep_checkpoint(const std::string& name, Result& result) {
    const CoverageReport& coverage = result.coverage;
    const bool sampled = is_random(options_.strategy.kind) && coverage.tests_known > 0 && coverage.tests_run >= coverage.tests_known;
    const bool stopped = !coverage.exhausted && !sampled && result.outcome != Outcome::failed;
    if (interrupted && stopped && result.outcome == Outcome::passed) {
      result.outcome = Outcome::undecided;
      if (result.findings.empty()) result.stopped = "stopped before it was done";
    }
    ProgramCheckpoint now;
    now.finished = rest_.finished;
    if (stopped) {
      now.subject = name;
      now.search = std::move(rest_.search);
      now.racy_sites = std::move(rest_.racy_sites);
      now.check = std::move(rest_.check);
    } else {
      now.finished.push_back(name);
    }
    if (!options_.checkpoint.empty() && stopped && !saved_checkpoint_) {
      save_checkpoint(options_.checkpoint, now, options_);
      saved_checkpoint_ = true;
      result.resume = options_.resume_command;
    } else if (interrupted && stopped) {
      result.resume = fmt::format("{} --checkpoint FILE writes how far a run got when it is stopped", options_.program);
    }
    rest_ = ProgramCheckpoint{.finished = std::move(now.finished), .subject = {}, .search = {}, .racy_sites = {}, .check = {}};
  }

  Symbolizer& symbolizer() {
    if (!symbolizer_) symbolizer_.emplace();
    return *symbolizer_;
  }

  void adopt(const SavedFailure& saved) { muster::adopt(options_, saved); }

  ExitCode replay() {
    // `--replay queue-1`, or `NAME --replay 1-tp…`.
    SavedFailure saved;
    if (is_schedule(options_.replay) && options_.names.size() == 1) {
      saved.subject = options_.names[0];
      saved.schedule = options_.replay;
    } else {
      saved = load_saved(options_.folder, options_.replay);
      adopt(saved);
      if (saved.build != build_fingerprint()) {
        fmt::print(stderr, "note: {} was saved by another build of this program; if the replay fails, use --recheck {}\n", saved.id, saved.id);
      }
    }
    if (const auto* check = find_check(saved.subject)) {
      if (saved.test.empty() && options_.matrices.size() == 1) saved.test = options_.matrices[0];
      const bool predicted = saved.kind == prediction_kind;
      const Result result = predicted ? replay_prediction(Columns(*check, parse_test(*check, saved.test)).program(),
                                                          options_, saved, symbolizer())
                                      : replay_check(*check, options_, saved, symbolizer(), under_debugger());
      print(result);
      return exit_code(result.outcome);
    }
    if (saved.kind == prediction_kind) {
      const Result result = replay_prediction(program_of(find_scenario(saved.subject)), options_, saved, symbolizer());
      print(result);
      return exit_code(result.outcome);
    }
    Result result = replay_scenario(find_scenario(saved.subject), options_, parse_schedule(saved.schedule), saved.racy_sites, symbolizer(), under_debugger());
    print(result);
    return exit_code(result.outcome);
  }

  std::string file_of(const SavedFailure& saved) const {
    if (options_.recheck.find('/') != std::string::npos) return options_.recheck;
    return (std::filesystem::path(options_.folder) / saved.id).string();
  }

  /// What a saved schedule shows now, if that is a failure: a search with other flags may not come to it. Races of a check may be suppressed
  /// since, and predictions have a command of their own: both are left to the search.
  std::optional<ExitCode> fails_again(const SavedFailure& saved) {
    const auto* check = find_check(saved.subject);
    if ((check && saved.kind == name(IncidentKind::race)) || saved.kind == prediction_kind) return std::nullopt;
    HarnessOptions as_saved = options_;
    muster::adopt(as_saved, saved);
    Result result = check ? replay_check(*check, as_saved, saved, symbolizer(), false, true)
                          : replay_scenario(find_scenario(saved.subject), as_saved, parse_schedule(saved.schedule), saved.racy_sites, symbolizer(), false, true);
    if (result.outcome != Outcome::failed) return std::nullopt;
    for (Finding& finding : result.findings) finding.saved_as = file_of(saved);
    if (check && options_.recheck.empty()) result.findings[0].notes.push_back(alone(file_of(saved)));
    print(result);
    return ExitCode::finding;
  }

  /// Saved failures of this very build are run first; one that still fails is the result.
  std::optional<ExitCode> try_saved(const Scenario& scenario) {
    for (const SavedFailure& saved : saved_failures_of(options_.folder, scenario.name)) {
      if (saved.build != build_fingerprint()) {
        if (!options_.quiet) fmt::print("{}: {} was saved by another build: exploring the scenario again\n", scenario.name, saved.id);
        continue;
      }
      if (const auto again = fails_again(saved)) return again;
    }
    return std::nullopt;
  }

  ExitCode verify(const Scenario& scenario) {
    const Verification result = verify_replay(scenario, options_, options_.verify_replay);
    if (result.different > 0) {
      fmt::print("{}: NOT REPRODUCIBLE: {} of {} schedules did something else when run again, the first being {}\n", scenario.name, result.different,
                 result.schedules, result.first_difference);
      return ExitCode::undecided;
    }
    if (result.schedules < options_.verify_replay) {
      fmt::print(
          "{}: {} of {} schedules drawn, every one ran the same way again; the next one {}: nothing is known of the "
          "rest\n",
          scenario.name, with_commas(result.schedules), with_commas(options_.verify_replay), result.ended_by);
      return ExitCode::undecided;
    }
    fmt::print("{}: {} schedules drawn, every one ran the same way again\n", scenario.name, with_commas(result.schedules));
    return ExitCode::no_finding;
  }

  ExitCode stress(const std::vector<const Scenario*>& chosen, const std::vector<const CheckDefinition*>& chosen_checks) {
    StressCheckOptions check_options;
    check_options.stress.patience = std::chrono::milliseconds(static_cast<long>(options_.patience * 1000));
    check_options.stress.seed = options_.strategy.seed;
    if (options_.stress_runs > 0) check_options.runs = options_.stress_runs;
    check_options.classic = options_.classic;
    check_options.synchronisation.judge = synchronisation_judge(options_);
    check_options.keep_going = options_.all_tests;
    check_options.interrupted = [] { return interrupted != 0; };
    ExitCode code = ExitCode::no_finding;
    for (const CheckDefinition* check : chosen_checks) {
      if (interrupted) break;
      if (options_.explore.budget_seconds > 0) {
        check_options.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(static_cast<long>(options_.explore.budget_seconds * 1000));
      }
      ProgressLine line;
      check_options.progress = [&](const StressProgress& progress) { line.show(describe(progress, check->name, line.seconds())); };
      code = worse(code, unless_wrong(*check, [&] {
                     const Result result = stress_check(
                         *check,
                         {options_.matrices, options_.automatic, options_.size, options_.tests, options_.strategy.seed},
                         check_options);
                     line.clear();
                     print(result);
                     return exit_code(result.outcome);
                   }));
    }
    for (const Scenario* scenario : chosen) {
      if (interrupted) break;
      ProgressLine line;
      check_options.progress = [&](const StressProgress& progress) { line.show(describe(progress, scenario->name, line.seconds())); };
      const Result result = stress_scenario(*scenario, options_.stress_runs > 0 ? options_.stress_runs : 1000, check_options);
      line.clear();
      print(result);
      code = worse(code, exit_code(result.outcome));
    }
    return code;
  }

  /// The tests of saved failures are checked first; one that still fails is the result, unless all tests are asked for.
  std::optional<ExitCode> try_saved(const CheckDefinition& check) {
    if (!options_.matrices.empty() || !options_.against.empty() || options_.all_tests || !options_.summary.empty() || !options_.histories.empty())
      return std::nullopt;
    for (const SavedFailure& saved : saved_failures_of(options_.folder, check.name)) {
      HarnessOptions as_saved = options_;
      as_saved.shard = {};
      as_saved.matrices = {saved.test};
      if (const auto again = fails_again(saved)) return again;
      Result result = run_check(check, as_saved, symbolizer());
      if (result.outcome != Outcome::failed) continue;
      result.findings[0].notes.push_back(alone(file_of(saved)));
      return finish(std::move(result));
    }
    return std::nullopt;
  }

  /// Each scenario and check has its own list.
  void forget_weak_orders() {
    weak_orders_ = make_shared_memory<SiteSet>();
    weak_orders = weak_orders_.get();
  }

  ExitCode run_one(const CheckDefinition& check) {
    forget_weak_orders();
    ProgressLine line;
    if (line.is_seen()) options_.test_progress = [&](const TestProgress& progress) { line.show(describe(progress, check.name, line.seconds())); };
    options_.explore.interrupted = [] { return interrupted != 0; };
    if (rest_.subject == check.name) options_.before = rest_.check;
    Result result = run_check(check, options_, symbolizer(), &rest_);
    line.clear();
    options_.test_progress = {};
    options_.before = {};
    keep_checkpoint(check.name, result);
    return finish(std::move(result));
  }

  ExitCode explore_one(const Scenario& scenario) {
    forget_weak_orders();
    if (options_.strategy.kind == StrategyKind::predict) fail("--strategy predict is for checks; record scenario {} and use muster predict --confirm", scenario.name);
    ProgressLine line;
    if (line.is_seen()) options_.explore.progress = [&](const Coverage& coverage) { line.show(describe(coverage, scenario.name)); };
    options_.explore.interrupted = [] { return interrupted != 0; };
    if (rest_.subject != scenario.name) rest_.search = {};
    Result result = run_scenario(scenario, options_, symbolizer(), &rest_);
    line.clear();
    options_.explore.progress = {};
    keep_checkpoint(scenario.name, result);
    return finish(std::move(result));
  }

  ExitCode finish(Result result) {
    for (Finding& finding : result.findings) {
      if (!finding.schedule.empty() && finding.kind != "not-reproducible") finding.saved_as = save(finding, options_);
    }
    tell_limits(result.coverage);
    if (result.outcome == Outcome::passed && options_.require_exhausted && !result.coverage.exhausted) result.outcome = Outcome::undecided;
    print(result);
    return exit_code(result.outcome);
  }

  /// What this program does that no search of it covers.
  void tell_limits(CoverageReport& coverage) {
    coverage.opaque_libraries = opaque_libraries_;
    coverage.allocators = foreign_allocators_;
    if (!options_.report_races)
      coverage.warnings.push_back("Races are no finding, as --no-races asks for; what comes of one is");
    if (options_.quiet) return;
    weak_orders_->for_each([&](std::uint32_t site) {
      const SourcePlace& place = symbolizer().locate(symbolizer().widen(site));
      if (place.line > 0) coverage.weak_orders.push_back(place.brief());
    });
    std::sort(coverage.weak_orders.begin(), coverage.weak_orders.end());
    coverage.weak_orders.erase(std::unique(coverage.weak_orders.begin(), coverage.weak_orders.end()), coverage.weak_orders.end());
  }

  void print(const Result& result) {
    report_.results.push_back(result);
    if (options_.quiet && result.findings.empty()) return;
    fmt::print("{}", draw(result, style_));
    std::fflush(stdout);
  }

  HarnessOptions options_;
  TerminalStyle style_;
  std::vector<std::string> opaque_libraries_ = opaque_libraries();  // before reading debug information loads more of them
  std::vector<std::string> foreign_allocators_ = foreign_allocators();
  Shared<SiteSet> weak_orders_ = make_shared_memory<SiteSet>();
  std::optional<Symbolizer> symbolizer_;
  Report report_;
  ProgramCheckpoint rest_;  // what an earlier run has left to do, then what this one has
  bool saved_checkpoint_ = false;
  bool some_check_is_wrong_ = false;
};

int run(int argc, char** argv) {
  HarnessOptions options;
  if (const auto code = read_command_line(argc, argv, options)) return *code;
  std::signal(SIGINT, [](int) { interrupted = 1; });
  return static_cast<int>(Session(std::move(options)).run());
}

}  // namespace
}  // namespace muster

/// What the `main` that muster_add_check links calls.
extern "C" __attribute__((visibility("default"))) int muster_main(int argc, char** argv) {
  return muster::run_to_the_edge(argc > 0 ? argv[0] : "muster", muster::run, argc, argv);
}
