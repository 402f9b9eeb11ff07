#include "harness/confirm/confirm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "harness/follow/follow.hpp"
#include "harness/follow/steering.hpp"
#include "harness/options/sites.hpp"
#include "harness/run/check_run.hpp"
#include "harness/saved/saved_replay.hpp"
#include "harness/steps/asides.hpp"
#include "harness/steps/check_words.hpp"
#include "harness/steps/replayed.hpp"
#include "harness/steps/steps.hpp"

namespace muster {
namespace {

namespace fs = std::filesystem;

/// "read-write-write on balance: T1 reads at bank.cpp:31, T2 writes at bank.cpp:58, T1 writes at bank.cpp:36".
std::string sentence_of(const Plan& plan) {
  std::string text = plan.about;
  const char* separator = ": ";
  for (const PlanAccess& access : plan.accesses) {
    text += fmt::format("{}{} {} at {}", std::exchange(separator, ", then "), access.thread,
                        access.write ? "writes" : "reads", access.location);
  }
  return text;
}

/// What `muster predict` reads: a word, the reason, what was saved, and a line for whatever else there is to say.
struct Outcome {
  std::string word, reason, saved;
  std::vector<std::string> other;

  std::string to_text() const { return fmt::format("{}\n{}\n{}\n{}\n", word, reason, saved, fmt::join(other, "\n")); }
};

/// What everything that is saved of an execution that followed a plan has in common.
Finding saved_as(Finding finding, FindingKind kind, std::string sentence, const Followed& followed,
                 Symbolizer& symbolizer) {
  finding.kind = kind;
  finding.sentence = std::move(sentence);
  finding.schedule = to_string(followed.schedule);
  finding.racy_sites = name_sites(followed.racy_sites, symbolizer);
  finding.shown_sites = name_sites(followed.sites, symbolizer);
  finding.planned = true;
  return finding;
}

/// `judge` may give a finding to report instead.
template <class Judge>
Outcome confirmed(const Plan& plan, const Followed& followed, const Finding& subject, const HarnessOptions& options,
                  Symbolizer& symbolizer, Judge judge) {
  Outcome outcome{.word = "confirmed", .reason = {}, .saved = {}, .other = {}};
  if (const std::optional<Finding> judged = judge()) {
    outcome.saved = save(*judged, options);
    outcome.other.push_back("history that no serial order explains: " + judged->sentence);
    return outcome;
  }
  const bool deadlock = !plan.waits.empty();
  const FindingKind kind = deadlock ? FindingKind::deadlock : FindingKind::atomicity_violation;
  outcome.saved = save(saved_as(subject, kind, sentence_of(followed.seen), followed, symbolizer), options);
  if (!deadlock && followed.seen.about != plan.about) outcome.other.push_back(followed.seen.about + " instead");
  for (const Incident& incident : followed.incidents) {
    const bool told = is_race(incident.kind) || (deadlock && incident.kind == IncidentKind::deadlock);
    if (!told) outcome.other.push_back(fmt::format("{}: {}", name(incident.kind), incident.message));
  }
  return outcome;
}

/// The execution did not come to what was predicted. Whatever went wrong in it happened all the same.
template <class Judge>
Outcome otherwise(const Followed& followed, const Finding& subject, const HarnessOptions& options,
                  Symbolizer& symbolizer, Judge judge) {
  Outcome outcome{.word = followed.end == FollowEnd::deadlocked ? "deadlocked" : "diverged",
                  .reason = followed.why,
                  .saved = {},
                  .other = {}};
  const auto shows = [](const Incident& incident) { return is_finding(incident.kind) && !is_race(incident.kind); };
  const auto shown = std::ranges::find_if(followed.incidents, shows);
  if (shown == followed.incidents.end()) return outcome;
  if (subject.test.empty()) {
    const Finding described = describe(subject.subject, *shown, symbolizer);
    outcome.saved = save(saved_as(described, described.kind, described.sentence, followed, symbolizer), options);
  } else if (const std::optional<Finding> judged = judge()) {  // operations may block rightly
    outcome.saved = save(*judged, options);
  }
  return outcome;
}

template <class Judge>
std::string outcome_of(const Plan& plan, const Followed& followed, const Finding& subject,
                       const HarnessOptions& options, Symbolizer& symbolizer, Judge judge) {
  const Outcome outcome = followed.end == FollowEnd::confirmed
                              ? confirmed(plan, followed, subject, options, symbolizer, judge)
                              : otherwise(followed, subject, options, symbolizer, judge);
  return outcome.to_text();
}

/// What the judge says to the history of the execution that a plan leads to.
std::optional<Failure> judge_plan(const CheckDefinition& check, const Test& test, const Plan& plan,
                                  HarnessOptions options) {
  options.strategy.kind = StrategyKind::predict;
  options.minimise = 0;
  CheckRunOptions run_options = check_run_options(options);
  PredictionSteering steering(std::vector<Plan>{plan});
  run_options.check.steering = &steering;
  run_options.check.predicted_only = true;
  const CheckRun run = run_tests(check, given_tests({test}), run_options);
  return run.results.empty() ? std::nullopt : run.results[0].failure;
}

}  // namespace

std::optional<std::string> requested_confirmation() {
  const char* const folder = std::getenv("MUSTER_CONFIRM");
  if (!folder || !*folder) return std::nullopt;
  return folder;
}

namespace {

/// Tells `confirm` each plan of the folder, and writes what it gives back beside it.
template <class Confirm>
void for_each_plan(const std::string& folder, Confirm confirm) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".plan") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::string outcome = confirm(parse_plan(text, entry.path().string()));
    const fs::path path = fs::path(entry.path()).replace_extension(".outcome");
    std::ofstream out(path);
    out << outcome;
    if (!out.flush()) fail("{}: cannot be written", path.string());
  }
}

}  // namespace

void confirm_plans(const std::string& folder, const std::string& subject, const Program& program,
                   const HarnessOptions& options, Symbolizer& symbolizer) {
  HarnessOptions planned = options;
  planned.explore.runtime = planned_options(options.explore.runtime);
  for_each_plan(folder, [&](const Plan& plan) {
    Finding finding;
    finding.subject = subject;
    return outcome_of(plan, follow(program, plan, planned, symbolizer), finding, options, symbolizer,
                      [] { return std::optional<Finding>(); });
  });
}

void confirm_plans(const std::string& folder, const CheckDefinition& check, const Test& test,
                   const HarnessOptions& options, Symbolizer& symbolizer) {
  HarnessOptions planned = options;
  planned.explore.runtime = planned_options(options.explore.runtime);
  Columns columns(check, test);
  for_each_plan(folder, [&](const Plan& plan) {
    PredictionSteering steering(std::vector<Plan>{plan});
    steering.record();  // so that operations are told as transactions
    const Followed followed = follow(columns.program(), plan, planned, symbolizer);
    steering.end();
    Finding finding;
    finding.subject = check.name;
    finding.test = to_text(check, test);
    return outcome_of(plan, followed, finding, options, symbolizer, [&]() -> std::optional<Finding> {
      const auto failure = judge_plan(check, test, plan, options);
      if (!failure) return std::nullopt;
      return describe(check, *failure, symbolizer);
    });
  });
}

namespace {

/// The last access of a violation ends its story: two of one thread, with one of another in between.
void end_at_violation(std::span<const std::uint32_t> sites, std::vector<TracedEvent>& events) {
  const auto is_shown = [&](const Event& event) {
    return std::ranges::find(sites, static_cast<std::uint32_t>(event.site)) != sites.end();
  };
  for (std::size_t first = 0; first < events.size(); ++first) {
    const Event begin = events[first].event;
    bool parted = false;  // by an access of another thread
    for (std::size_t i = first + 1; is_shown(begin) && i < events.size(); ++i) {
      const Event& event = events[i].event;
      if (event.object != begin.object || !is_shown(event)) continue;
      if (parted && event.thread == begin.thread) return events.resize(i + 1);
      parted |= event.thread != begin.thread;
      if (!parted) break;  // the violation begins later
    }
  }
}

}  // namespace

bool is_prediction(const SavedFailure& saved) {
  return saved.kind == FindingKind::atomicity_violation || !saved.shown_sites.empty();
}

Result replay_prediction(const Program& program, const HarnessOptions& options, const SavedFailure& saved,
                         Symbolizer& symbolizer) {
  const std::vector<Decision> schedule = parse_schedule(saved.schedule);
  const auto racy_sites = make_racy_sites(parse_sites(saved.racy_sites, symbolizer));
  const std::vector<std::uint32_t> shown = parse_sites(saved.shown_sites, symbolizer);
  const bool accesses = saved.kind == FindingKind::atomicity_violation;
  for (const std::uint32_t site : shown) {
    if (accesses) racy_sites->show(site);
  }
  Replayed replayed = replay_in_worker(program, options, schedule, *racy_sites, false);
  settle(replayed.events, symbolizer);
  if (accesses) end_at_violation(shown, replayed.events);
  std::vector<Step> steps = to_steps(replayed.events, symbolizer);
  SavedFailure told = saved;
  const std::string waits = saved.kind == FindingKind::deadlock ? describe_waits(replayed.events, steps) : "";
  if (!waits.empty()) told.sentence = "deadlock: " + waits;
  return tell_replay(told, replayed, std::move(steps));
}

}  // namespace muster
