#include "harness/session/saved_first.hpp"

#include <fmt/core.h>

#include <filesystem>

#include "base/error.hpp"
#include "harness/confirm/confirm.hpp"
#include "harness/options/build_fingerprint.hpp"
#include "harness/run/check_run.hpp"
#include "harness/run/scenario_run.hpp"
#include "harness/run/subjects.hpp"
#include "harness/saved/check_replay.hpp"

namespace muster {
namespace {

/// Why a run made of a saved failure tells of one test.
std::string alone(const std::string& file) {
  return fmt::format(
      "No test was run but that of {}, which still fails. Without that file, or with --all-tests, all are run.", file);
}

}  // namespace

std::optional<Result> SavedFirst::fails_again(const SavedFailure& saved) {
  const auto* check = find_check(saved.subject);
  if ((check && (saved.kind == FindingKind::race || saved.kind == FindingKind::possible_race)) || is_prediction(saved))
    return std::nullopt;
  HarnessOptions as_saved = options_;
  adopt(as_saved, saved);
  Result result = check ? replay_check(*check, as_saved, saved, symbolizer_, false, true)
                        : replay_scenario(find_scenario(saved.subject), as_saved, parse_schedule(saved.schedule),
                                          saved.racy_sites, symbolizer_, false, true);
  if (result.outcome != Outcome::failed) return std::nullopt;
  for (Finding& finding : result.findings) finding.saved_as = file_of(saved);
  if (check && options_.recheck.empty()) result.findings[0].notes.push_back(alone(file_of(saved)));
  return result;
}

std::optional<Result> SavedFirst::of(const Scenario& scenario) {
  return first_of(scenario.name, [&](const SavedFailure& saved) -> std::optional<Result> {
    if (saved.build == build_fingerprint()) return fails_again(saved);
    if (!options_.quiet)
      fmt::print("{}: {} was saved by another build: exploring the scenario again\n", scenario.name, saved.id);
    return std::nullopt;
  });
}

std::optional<Result> SavedFirst::of(const CheckDefinition& check) {
  const bool all_tests = !options_.matrices.empty() || !options_.against.empty() || options_.all_tests ||
                         !options_.summary.empty() || !options_.histories.empty();
  if (all_tests) return std::nullopt;
  return first_of(check.name, [&](const SavedFailure& saved) {
    auto again = fails_again(saved);
    return again ? again : search_again(check, saved);
  });
}

std::optional<Result> SavedFirst::search_again(const CheckDefinition& check, const SavedFailure& saved) {
  HarnessOptions as_saved = options_;
  as_saved.shard = {};
  as_saved.matrices = {saved.test};
  Result result = run_check(check, as_saved, symbolizer_);
  if (result.outcome != Outcome::failed) return std::nullopt;
  result.findings[0].notes.push_back(alone(file_of(saved)));
  return result;
}

template <class Try>
std::optional<Result> SavedFirst::first_of(const std::string& subject, const Try& try_one) {
  for (const SavedFailure& saved : all()) {
    if (saved.subject != subject || !saved.id.starts_with(subject + "-")) continue;
    try {
      if (auto result = try_one(saved)) return result;
    } catch (const Error& error) {
      skip(fmt::format("{}: {}", file_of(saved), excerpt(error.what())));
    }
  }
  return std::nullopt;
}

/// Those that are damaged are told once.
const std::vector<SavedFailure>& SavedFirst::all() {
  if (!all_) all_ = load_all_saved(options_.folder, [this](const std::string& why) { skip(why); });
  return *all_;
}

void SavedFirst::skip(const std::string& why) const {
  fmt::print(stderr, "{}: warning: a saved failure is skipped: {}\n", options_.program, why);
}

std::string SavedFirst::file_of(const SavedFailure& saved) const {
  if (options_.recheck.find('/') != std::string::npos) return options_.recheck;
  return (std::filesystem::path(options_.folder) / saved.id).string();
}

}  // namespace muster
