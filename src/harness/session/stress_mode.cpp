#include "harness/session/stress_mode.hpp"

#include "harness/run/check_run.hpp"
#include "report/progress_line.hpp"
#include "stress/stress_subjects.hpp"

namespace muster {
namespace {

StressPlanOfAll plan_of(const std::vector<const Scenario*>& scenarios,
                        const std::vector<const CheckDefinition*>& checks, const HarnessOptions& options) {
  StressPlanOfAll plan;
  for (const CheckDefinition* check : checks) plan.subjects.push_back({.check = check});
  for (const Scenario* scenario : scenarios) plan.subjects.push_back({.scenario = scenario});
  plan.tests = {options.matrices, options.automatic, options.size, options.tests, options.strategy.seed};
  StressCheckOptions& how = plan.options;
  how.stress.patience = std::chrono::milliseconds(static_cast<long>(options.patience * 1000));
  how.stress.seed = options.strategy.seed;
  if (options.stress_runs > 0) how.runs = plan.scenario_runs = options.stress_runs;
  how.classic = options.classic;
  how.synchronisation.judge = synchronisation_judge(options);
  how.keep_going = options.all_tests;
  how.interrupted = options.explore.interrupted;
  how.deadline = options.explore.deadline;
  return plan;
}

}  // namespace

ExitCode run_stress(const std::vector<const Scenario*>& scenarios, const std::vector<const CheckDefinition*>& checks,
                    const HarnessOptions& options, Output& output) {
  std::optional<ProgressLine> line;  // of the one that is run
  ExitCode code = ExitCode::no_finding;
  StressListener listener;
  listener.progress = [&](const Subject& subject, const StressProgress& progress) {
    if (!line) line.emplace();
    line->show(describe(progress, subject.name(), line->seconds()));
  };
  listener.tell = [&](Result result) {
    line.reset();
    require_exhausted(result, options);
    code = worse(code, output.tell(result));
  };
  listener.complain = [&](const Subject& subject, const Error& error) {
    line.reset();
    code = worse(code, output.complain(subject.name(), subject.source(), error));
  };
  stress_all(plan_of(scenarios, checks, options), listener);
  return code;
}

}  // namespace muster
