#include "harness/confirm/recorded_subject.hpp"

#include "base/error.hpp"
#include "harness/confirm/confirm.hpp"
#include "harness/follow/steering.hpp"
#include "harness/record/record_run.hpp"
#include "harness/record/serial_recording.hpp"
#include "harness/record/transaction_functions.hpp"
#include "harness/run/check_run.hpp"
#include "harness/run/scenario_run.hpp"
#include "harness/run/subjects.hpp"
#include "stress/real_threads.hpp"

namespace muster {
namespace {

std::string the_one_named(const HarnessOptions& options) {
  if (options.names.size() == 1) return options.names[0];
  if (!options.names.empty() || scenarios().size() + checks().size() != 1)
    fail("a recording is of one scenario or check: name it");
  return checks().empty() ? scenarios()[0].name : checks()[0]->name;
}

void record_test(const std::string& file, const CheckDefinition& check, RunDescription about,
                 const HarnessOptions& options) {
  const Test test = tests_of(check, options).test(0);
  about.check = check.name;
  about.test = to_text(check, test);
  if (serial_recording_requested()) {
    PredictionSteering steering(std::vector<Plan>{});
    steering.record();  // so that operations are told as transactions
    Columns columns(check, test);
    return record_serially(file, about, columns.program(), options);
  }
  begin_recording(file, about);
  run_on_real_threads(check, test);
  end_recording();
}

void record_scenario(const std::string& file, const Scenario& scenario, RunDescription about,
                     const HarnessOptions& options) {
  about.scenario = scenario.name;
  if (serial_recording_requested()) return record_serially(file, about, program_of(scenario), options);
  begin_recording(file, about);
  scenario.body();
  end_recording();
}

}  // namespace

void record_subject(const std::string& file, const HarnessOptions& options) {
  const std::string name = the_one_named(options);
  RunDescription about;
  about.atomic = requested_transaction_functions();
  if (const auto* check = find_check(name)) return record_test(file, *check, std::move(about), options);
  record_scenario(file, find_scenario(name), std::move(about), options);
}

void confirm_subject(const std::string& folder, const HarnessOptions& options, Symbolizer& symbolizer) {
  const RunDescription run = read_run_description(folder);
  choose_transaction_functions(run.atomic);
  if (!run.scenario.empty())
    return confirm_plans(folder, run.scenario, program_of(find_scenario(run.scenario)), options, symbolizer);
  const auto* check = find_check(run.check);
  if (!check) fail("the trace was recorded from check '{}', which this program does not define", run.check);
  confirm_plans(folder, *check, parse_test(*check, run.test), options, symbolizer);
}

}  // namespace muster
