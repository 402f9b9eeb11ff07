#include "harness/run/check_races.hpp"

#include <algorithm>
#include <utility>

#include "check/make_small.hpp"
#include "harness/run/alike_races.hpp"
#include "harness/run/check_run.hpp"
#include "harness/run/scenario_run.hpp"

namespace muster {
namespace {

/// The test in which a race is shown, made small: nothing else counts that the smaller ones show.
Failure small_race(const CheckDefinition& check, Failure race, const HarnessOptions& options) {
  constexpr double seconds = 5;
  CheckRunOptions run = check_run_options(options);
  run.minimise_seconds = std::min(run.minimise_seconds, seconds);
  run.check.sought_race = race.incident;
  run.runtime.outlive_faults = true;
  return make_small(check, std::move(race), run, run.runtime);
}

}  // namespace

void add_races(Result& result, const CheckDefinition& check, const CheckRun& run, HarnessOptions options,
               Symbolizer& symbolizer) {
  constexpr std::uint64_t most_made_small = 3;
  options.suppressions.insert(options.suppressions.end(), check.suppressions.begin(), check.suppressions.end());
  std::vector<const Failure*> races;
  for (const TestResult& test : run.results) {
    for (const Failure& failure : test.races) {
      if (!suppressed(*failure.incident, options, symbolizer)) races.push_back(&failure);
    }
  }
  const auto race_of = [](const Failure* failure) -> const Incident& { return *failure->incident; };
  const auto cost_of = [](const Failure* failure) { return std::pair(failure->preemptions, failure->schedule.size()); };
  std::uint64_t made_small = 0;
  std::vector<ToldRace> told;
  for (auto& group : alike_races(races, race_of, cost_of, symbolizer, options.all_findings)) {
    told.push_back(tell_one(std::move(group), [&](const Failure* one) {
      Failure race = *one;
      if (options.minimise > 0 && made_small++ < most_made_small) race = small_race(check, std::move(race), options);
      return explain(check, race, options, symbolizer);
    }));
  }
  for (Finding& finding : tell_alike(std::move(told), options.all_findings))
    result.findings.push_back(std::move(finding));
}

}  // namespace muster
