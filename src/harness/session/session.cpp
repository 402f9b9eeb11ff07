#include "harness/session/session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "base/error.hpp"
#include "harness/confirm/confirm.hpp"
#include "harness/confirm/recorded_subject.hpp"
#include "harness/options/applicable_flags.hpp"
#include "harness/options/build_fingerprint.hpp"
#include "harness/record/record_run.hpp"
#include "harness/run/check_run.hpp"
#include "harness/run/estimates.hpp"
#include "harness/run/scenario_run.hpp"
#include "harness/run/subjects.hpp"
#include "harness/saved/check_replay.hpp"
#include "harness/session/listing.hpp"
#include "harness/session/progress.hpp"
#include "harness/session/stress_mode.hpp"
#include "harness/session/verify.hpp"
#include "instrument/control.hpp"
#include "instrument/unwatched_calls.hpp"
#include "report/progress_line.hpp"

namespace muster {
namespace {

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

}  // namespace

Session::Session(HarnessOptions options)
    : options_(std::move(options)),
      output_(options_),
      opaque_libraries_(opaque_libraries()),
      foreign_allocators_(foreign_allocators()) {
  watch_imports(options_.descriptions);
}

ExitCode Session::run() {
  output_.require_files();
  end_ = Halt::after(options_.budget_seconds);
  options_.explore.deadline = end_;
  if (!options_.resume.empty()) rest_ = load_checkpoint(options_.resume, options_);
  const ExitCode code = run_chosen();
  return worse(code, output_.write());
}

ExitCode Session::run_chosen() {
  options_.list_tests |= options_.list_what == "tests";
  if (options_.list_what == "names") return list_names(), ExitCode::no_finding;
  if (const auto file = take_recording_request()) return record_subject(*file, options_), ExitCode::no_finding;
  if (const auto folder = requested_confirmation())
    return confirm_subject(*folder, options_, symbolizer()), ExitCode::no_finding;
  if (!options_.replay.empty()) return replay();
  if (!options_.recheck.empty()) return recheck();
  const Chosen chosen = choose();
  if (options_.stress) return run_stress(chosen.scenarios, chosen.checks, options_, output_);
  if (only_looks()) return look_at(chosen), ExitCode::no_finding;
  if (options_.verify_replay > 0) return verify(chosen);
  return search(to_search(chosen));
}

Session::Chosen Session::choose() const {
  if (scenarios().empty() && checks().empty())
    fail("this program defines nothing to run: write MUSTER_SCENARIO(name) {{ … }} or MUSTER_CHECK(name) {{ … }}");
  Chosen chosen;
  for (const std::string& name : options_.names) {
    if (const auto* check = find_check(name))
      chosen.checks.push_back(check);
    else
      chosen.scenarios.push_back(&find_scenario(name));
  }
  if (options_.names.empty()) {
    for (const Scenario& scenario : scenarios()) chosen.scenarios.push_back(&scenario);
    for (const auto& check : checks()) chosen.checks.push_back(check.get());
  }
  require_applicable(options_, chosen.scenarios, chosen.checks);
  return chosen;
}

bool Session::only_looks() const {
  return options_.estimate || !options_.observations.empty() || options_.list_tests ||
         options_.list_what == "histories";
}

void Session::look_at(const Chosen& chosen) {
  for (const CheckDefinition* check : chosen.checks) {
    if (is_interrupted()) return;
    if (options_.estimate)
      fmt::print("{}", estimate_line(*check, options_));
    else if (!options_.observations.empty())
      write_observations(*check, options_);
    else if (options_.list_tests)
      list_tests(*check, options_);
    else
      list_histories(*check, options_);
  }
  if (!options_.estimate) return;
  for (std::size_t i = 0; i < chosen.scenarios.size(); ++i) {
    if (options_.shard.takes(i) && !is_interrupted()) fmt::print("{}", estimate_line(*chosen.scenarios[i], options_));
  }
}

// ---- verifying and replaying ----

ExitCode Session::verify(const Chosen& chosen) {
  if (!chosen.checks.empty())
    fmt::print(stderr, "note: --verify-replay is for scenarios: the checks of this program are left out\n");
  ExitCode code = ExitCode::no_finding;
  for (std::size_t i = 0; i < chosen.scenarios.size(); ++i) {
    if (options_.shard.takes(i) && !is_interrupted()) code = worse(code, verify(*chosen.scenarios[i]));
  }
  return code;
}

ExitCode Session::verify(const Scenario& scenario) {
  const Verification result = verify_replay(scenario, options_, options_.verify_replay);
  if (result.different > 0) {
    fmt::print("{}: NOT REPRODUCIBLE: {} of {} schedules did something else when run again, the first being {}\n",
               scenario.name, result.different, result.schedules, result.first_difference);
    return ExitCode::undecided;
  }
  if (result.schedules < options_.verify_replay) {
    fmt::print(
        "{}: {} of {} schedules drawn, every one ran the same way again; the next one {}: nothing is known of the "
        "rest\n",
        scenario.name, with_commas(result.schedules), with_commas(options_.verify_replay), result.ended_by);
    return ExitCode::undecided;
  }
  fmt::print("{}: {} schedules drawn, every one ran the same way again\n", scenario.name,
             with_commas(result.schedules));
  return ExitCode::no_finding;
}

ExitCode Session::recheck() {
  const SavedFailure saved = load_saved(options_.folder, options_.recheck);
  adopt(options_, saved);
  if (const auto again = SavedFirst(options_, symbolizer()).fails_again(saved)) return output_.tell(*again);
  if (const auto* check = find_check(saved.subject)) {
    options_.matrices = {saved.test};
    return finish(run_tests(*check));
  }
  return finish(explore(find_scenario(saved.subject)));
}

/// `--replay queue-1`, or `NAME --replay 1-tp…`.
ExitCode Session::replay() {
  SavedFailure saved;
  if (is_schedule(options_.replay) && options_.names.size() == 1) {
    saved.subject = options_.names[0];
    saved.schedule = options_.replay;
    return output_.tell(replayed(saved));
  }
  saved = load_saved(options_.folder, options_.replay);
  adopt(options_, saved);
  if (saved.build != build_fingerprint()) {
    fmt::print(stderr, "note: {} was saved by another build of this program; if the replay fails, use --recheck {}\n",
               saved.id, saved.id);
  }
  return output_.tell(replayed(saved));
}

Result Session::replayed(const SavedFailure& of) {
  SavedFailure saved = of;
  const bool predicted = is_prediction(saved);
  if (const auto* check = find_check(saved.subject)) {
    if (saved.test.empty() && options_.matrices.size() == 1) saved.test = options_.matrices[0];
    if (!predicted) return replay_check(*check, options_, saved, symbolizer(), under_debugger());
    return replay_prediction(Columns(*check, parse_test(*check, saved.test)).program(), options_, saved, symbolizer());
  }
  const Scenario& scenario = find_scenario(saved.subject);
  if (predicted) return replay_prediction(program_of(scenario), options_, saved, symbolizer());
  return replay_scenario(scenario, options_, parse_schedule(saved.schedule), saved.racy_sites, symbolizer(),
                         under_debugger());
}

// ---- searching ----

/// What falls to this shard, and no earlier run has done.
std::vector<Subject> Session::to_search(const Chosen& chosen) {
  std::vector<Subject> subjects;
  for (const CheckDefinition* check : chosen.checks) {
    if (!finished_before(check->name)) subjects.push_back({.check = check});
  }
  bool any_scenario = false;
  for (std::size_t i = 0; i < chosen.scenarios.size(); ++i) {
    if (!options_.shard.takes(i)) continue;
    any_scenario = true;
    if (!finished_before(chosen.scenarios[i]->name)) subjects.push_back({.scenario = chosen.scenarios[i]});
  }
  if (chosen.checks.empty() && !any_scenario && !options_.quiet)
    fmt::print("Nothing fell to shard {} of {}: nothing was run.\n", options_.shard.number, options_.shard.count);
  return subjects;
}

/// By the run that wrote the checkpoint.
bool Session::finished_before(const std::string& name) const {
  if (std::ranges::find(rest_.finished, name) == rest_.finished.end()) return false;
  if (!options_.quiet) fmt::print("{}: done before the checkpoint\n", name);
  return true;
}

ExitCode Session::search(const std::vector<Subject>& subjects) {
  ExitCode code = ExitCode::no_finding;
  saved_.emplace(options_, symbolizer());
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    const Subject& subject = subjects[i];
    if (is_interrupted()) {
      code = worse(code, leave_out(subject, stopped_by_somebody));
    } else if (i > 0 && Halt(end_).is_late()) {
      code = worse(code, leave_out(subject, stopped_by_budget));
    } else {
      // One checkpoint holds one search: what others would have done by then is lost.
      const bool shares = options_.checkpoint.empty();
      options_.explore.deadline = shares ? Halt::share(end_, subjects.size() - i) : end_;
      code = worse(code, search(subject));
    }
  }
  return code;
}

/// What is wrong with one, which may show only when it runs, must not lose what the others show.
ExitCode Session::search(const Subject& subject) {
  try {
    if (rest_.subject != subject.name()) {
      const auto again = subject.check ? saved_->of(*subject.check) : saved_->of(*subject.scenario);
      if (again) return again->coverage.strategy == "replay" ? output_.tell(*again) : finish(*again);
    }
    return finish(subject.check ? run_tests(*subject.check) : explore(*subject.scenario));
  } catch (const Error& error) {
    return output_.complain(subject.name(), subject.source(), error);
  }
}

ExitCode Session::leave_out(const Subject& subject, const char* why) {
  Result result = not_run(subject.name(), subject.source(), why);
  keep_checkpoint(result);
  if (options_.checkpoint.empty()) result.resume.clear();  // what was begun has said it
  require_exhausted(result, options_);
  return output_.tell(result);
}

Result Session::run_tests(const CheckDefinition& check) {
  begin_subject();
  ProgressLine line;
  if (line.is_seen())
    options_.test_progress = [&](const TestProgress& progress) {
      line.show(describe(progress, check.name, line.seconds()));
    };
  if (rest_.subject == check.name) options_.before = rest_.check;
  Result result = run_check(check, options_, symbolizer(), &rest_);
  options_.test_progress = {};
  options_.before = {};
  keep_checkpoint(result);
  return result;
}

Result Session::explore(const Scenario& scenario) {
  begin_subject();
  if (options_.strategy.kind == StrategyKind::predict)
    fail("--strategy predict is for checks; record scenario {} and use muster predict --confirm", scenario.name);
  ProgressLine line;
  if (line.is_seen())
    options_.explore.progress = [&](const Coverage& coverage) { line.show(describe(coverage, scenario.name)); };
  if (rest_.subject != scenario.name) rest_.search = {};
  Result result = run_scenario(scenario, options_, symbolizer(), &rest_);
  options_.explore.progress = {};
  keep_checkpoint(result);
  return result;
}

/// What is left of a search that was stopped; else it is finished. Written once: what comes after it begins anew.
void Session::keep_checkpoint(Result& result) {
  const CoverageReport& coverage = result.coverage;
  const bool stopped = !coverage.exhausted && !coverage.sampled && result.outcome != Outcome::failed;
  const bool interrupted = stopped && is_interrupted();
  if (interrupted && result.findings.empty()) stop(result, stopped_by_somebody);
  ProgramCheckpoint now;
  now.finished = rest_.finished;
  if (stopped) {
    now.subject = result.subject;
    now.search = std::move(rest_.search);
    now.racy_sites = std::move(rest_.racy_sites);
    now.check = std::move(rest_.check);
  } else {
    now.finished.push_back(result.subject);
  }
  if (!options_.checkpoint.empty() && stopped && !saved_checkpoint_) {
    save_checkpoint(options_.checkpoint, now, options_);
    saved_checkpoint_ = true;
    result.resume = options_.resume_command;
  } else if (interrupted && options_.checkpoint.empty()) {
    result.resume = fmt::format("{} --checkpoint FILE writes how far a run got when it is stopped", options_.program);
  }
  rest_ = ProgramCheckpoint{
      .finished = std::move(now.finished), .subject = {}, .search = {}, .racy_sites = {}, .check = {}};
}

ExitCode Session::finish(Result result) {
  tell_limits(result.coverage);
  for (Finding& finding : result.findings) {
    if (finding.kind == FindingKind::not_reproducible) tell_suspects(finding, result.coverage);
  }
  require_exhausted(result, options_);
  return output_.tell_and_save(std::move(result));
}

/// What may differ from execution to execution, and nobody controls.
void Session::tell_suspects(Finding& finding, const CoverageReport& coverage) const {
  std::vector<std::string> suspects = coverage.unwatched_calls;
  for (const std::string& code : coverage.opaque_libraries) {
    if (code.find(" in ") != std::string::npos) suspects.push_back(code);
  }
  if (!suspects.empty())
    finding.notes.push_back(fmt::format("Not watched, so it may be the cause: {}.", fmt::join(suspects, ", ")));
}

/// What the search says about C++'s memory model.
void Session::tell_older_values(CoverageReport& coverage) {
  if (!was_run(coverage) || coverage.strategy == "replay") return;
  if (coverage.older_values > 0) {
    coverage.notes.push_back("Atomics had older values, too, as C++ lets threads read them");
  } else if (coverage.all_schedules) {
    coverage.notes.push_back("Robust: no thread ever has an older value of an atomic to read");
  } else {
    coverage.notes.push_back("No thread had an older value of an atomic to read in these executions");
  }
}

/// What this program does that no search of it covers.
void Session::tell_limits(CoverageReport& coverage) {
  coverage.opaque_libraries = opaque_libraries_;
  coverage.unwatched_calls = unwatched_calls();
  coverage.allocators = foreign_allocators_;
  if (!options_.report_races)
    coverage.warnings.push_back("Races are no finding, as --no-races asks for; what comes of one is");
  if (options_.quiet) return;
  if (options_.explore.runtime.memory_model == MemoryModel::c11) {
    if (weak_orders_->size() > 0) tell_older_values(coverage);
    return;
  }
  weak_orders_->for_each([&](std::uint32_t site) {
    const SourcePlace& place = symbolizer().locate(symbolizer().widen(site));
    if (place.line > 0) coverage.weak_orders.push_back(place.brief());
  });
  std::sort(coverage.weak_orders.begin(), coverage.weak_orders.end());
  coverage.weak_orders.erase(std::unique(coverage.weak_orders.begin(), coverage.weak_orders.end()),
                             coverage.weak_orders.end());
}

/// Each scenario and check has its own lists.
void Session::begin_subject() {
  weak_orders_ = make_shared_memory<SiteSet>();
  weak_orders = weak_orders_.get();
  forget_unwatched_calls();
}

Symbolizer& Session::symbolizer() {
  if (!symbolizer_) symbolizer_.emplace();
  return *symbolizer_;
}

}  // namespace muster
