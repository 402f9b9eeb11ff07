#include "check/controlled_runs.hpp"

#include "check/recorder.hpp"
#include "schedule/depth_first_strategy.hpp"

namespace muster {
namespace {

/// Gathers what the calls of each execution answered.
class AnswerRecorder final : public Recorder {
 public:
  AnswerRecorder(const CheckDefinition& check, const Test& test, Responses& responses, const RacySites& racy_sites,
                 Columns& columns)
      : Recorder(check, test, responses, racy_sites, columns) {}

  bool end_execution(const Execution& execution, const Schedule& schedule, Engine&) override {
    if (ended_otherwise(execution, schedule)) return !failure && undecided.empty();
    std::vector<std::string>& run = runs.emplace_back();
    for (unsigned i = 0; i < test_.size() && (history_.returned >> i & 1); ++i)
      run.push_back(responses_.text(history_.response[i]));
    return true;
  }

  std::vector<std::vector<std::string>> runs;

 private:
  /// The search that this one interrupts would find its points.
  bool goes_back() const noexcept override { return false; }
};

class ControlledRuns final : public SerialRuns {
 public:
  ControlledRuns(CheckBench& bench, const Test& test) : bench_(bench) {
    Test all;
    for (const TestOperation& operation : operations_of(test)) all.first.push_back(operation.invocation);
    Columns columns(bench_.check, all);
    columns.set_golden(bench_.check.golden);
    warm_up(bench_.engine, bench_.slot.journal, columns.program());
  }

  std::vector<std::vector<std::string>> answers(std::span<const Invocation> calls) override {
    Test test;
    test.first.assign(calls.begin(), calls.end());
    Columns columns(bench_.check, test);
    columns.set_golden(bench_.check.golden);
    AnswerRecorder recorder(bench_.check, test, responses_, bench_.slot.racy_sites, columns);
    if (!run(columns, recorder)) not_known_ = "a serial run of the class that is judged by did not come to an end";
    return std::move(recorder.runs);
  }

 private:
  /// Every execution of it; false if some are missing.
  bool run(Columns& columns, AnswerRecorder& recorder) {
    // This happens between two executions of another search, which goes on from its schedule.
    const std::span<const Decision> decisions = bench_.slot.journal.schedule.decisions();
    const std::vector<Decision> interrupted(decisions.begin(), decisions.end());
    const RuntimeOptions options = bench_.engine.options();
    bench_.engine.set_options(serial_options(options, false));
    Counters counters;
    SearchEnd end = SearchEnd::learned;
    while (end == SearchEnd::learned) {
      recorder.runs.clear();
      DepthFirstStrategy strategy({DepthFirstBounds::unbounded, DepthFirstBounds::unbounded});
      end = search(bench_.engine, bench_.slot.journal, columns.program(), strategy, recorder, counters,
                   {bench_.options.deadline}, bench_.interruption);
    }
    executions_ += counters.executions;
    bench_.engine.set_options(options);
    bench_.slot.journal.schedule.assign(interrupted);
    return end == SearchEnd::exhausted;
  }

  CheckBench& bench_;
  Responses responses_;
};

}  // namespace

RuntimeOptions serial_options(RuntimeOptions options, bool unlucky) {
  options.serial = true;
  options.early_timeouts = unlucky;
  if (!unlucky) options.spurious_failures = 0;
  return options;
}

std::unique_ptr<SerialRuns> controlled_runs(CheckBench& bench, const Test& test) {
  return std::make_unique<ControlledRuns>(bench, test);
}

}  // namespace muster
