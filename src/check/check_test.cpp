#include "check/check_test.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "check/history_judge.hpp"
#include "check/key_set.hpp"
#include "check/modelled_spec.hpp"
#include "check/observation_file.hpp"
#include "check/recorder.hpp"
#include "check/synchronisation_judge.hpp"
#include "schedule/depth_first_strategy.hpp"

namespace muster {
namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

std::uint64_t asynchronous_operations(const CheckDefinition& check, const Test& test) {
  std::uint64_t mask = 0;
  const auto operations = operations_of(test);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (check.operations[check.invocations[operations[i].invocation].operation].asynchronous)
      mask |= std::uint64_t{1} << i;
  }
  return mask;
}

/// Phase 1: every execution is a serial history to remember.
class SerialRecorder final : public Recorder {
 public:
  SerialRecorder(const CheckDefinition& check, const Test& test, Responses& responses, const RacySites& racy_sites,
                 const Columns& columns, ObservationSet& observed)
      : Recorder(check, test, responses, racy_sites), columns_(columns), observed_(observed) {}

  bool end_execution(const Execution& execution, const Schedule& schedule, Engine& engine) override {
    if (ended_otherwise(execution, schedule, columns_)) {
      if (failure) failure->serial = true;
      return !failure && undecided.empty();
    }
    SerialHistory serial = to_serial(execution);
    const std::optional<SerialHistory> other = observed_.add(serial);
    if (!other) return true;
    const bool own_threads =
        engine.thread_count() >
        1 + test_.columns.size() + static_cast<std::size_t>(std::popcount(asynchronous_operations(check_, test_)));
    failure = fail_with(own_threads ? FailureKind::own_threads : FailureKind::nondeterministic, history_,
                        schedule.decisions());
    failure->serial = true;
    failure->note = describe(check_, test_, responses_, *other);
    failure->serial_orders = {describe(check_, test_, responses_, serial)};
    for (const std::uint8_t operation : serial.order) {
      if (serial.response[operation] == other->response[operation]) continue;
      failure->blamed = operation;
      failure->possible = {other->response[operation] == pending ? "#" : responses_.text(other->response[operation])};
      break;
    }
    return false;
  }

 private:
  SerialHistory to_serial(const Execution& execution) const {
    SerialHistory serial;
    serial.response.assign(test_.size(), absent);
    for (unsigned i = 0; i < history_.mark_count; ++i) {
      const unsigned operation = history_.marks[i].operation;
      if (!history_.marks[i].is_return) {
        serial.order.push_back(static_cast<std::uint8_t>(operation));
        serial.response[operation] = pending;
      } else {
        serial.response[operation] = history_.response[operation];
      }
    }
    serial.excused = history_.excused;
    serial.stuck = execution.ending == Ending::stuck;
    return serial;
  }

  const Columns& columns_;
  ObservationSet& observed_;
};

/// Phase 2: a judge looks at every history.
class ConcurrentRecorder final : public Recorder {
 public:
  ConcurrentRecorder(const CheckDefinition& check, const Test& test, Responses& responses, const RacySites& racy_sites,
                     const Columns& columns, HistoryJudge& judge, const Journal& journal)
      : Recorder(check, test, responses, racy_sites), columns_(columns), judge_(judge), journal_(journal) {}

  bool end_execution(const Execution& execution, const Schedule& schedule, Engine&) override {
    if (failure) return false;  // found at a point where everything pending was blocked
    if (ended_otherwise(execution, schedule, columns_)) return !failure && undecided.empty();
    history_.spinning = execution.livelock;
    judge(execution.ending == Ending::stuck, schedule.decisions());
    return !failure && undecided.empty();
  }

  std::uint64_t histories = 0, stuck_histories = 0;

 private:
  void all_pending_blocked() noexcept override {
    if (failure || !judge_.looks_at_blocked_points()) return;
    const bool was_controlled = std::exchange(controlled, false);
    judge(true, journal_.schedule.decisions());
    history_.stuck = false;
    controlled = was_controlled;
  }

  void judge(bool stuck, std::span<const Decision> schedule) {
    history_.stuck = stuck;
    if (!seen_.insert(history_.key())) return;
    ++histories;
    stuck_histories += stuck;
    Ruling ruling = judge_.judge(history_);
    if (!ruling.undecided.empty()) undecided = std::move(ruling.undecided);
    if (!ruling.objection) return;
    Failure objected = failure_of(std::move(*ruling.objection), test_, responses_, history_);
    failure = fail_with(objected.kind, history_, schedule);
    failure->blamed = objected.blamed;
    failure->possible = std::move(objected.possible);
    failure->serial_orders = std::move(objected.serial_orders);
    failure->serial_runs = std::move(objected.serial_runs);
    failure->note = std::move(objected.note);
  }

  const Columns& columns_;
  HistoryJudge& judge_;
  const Journal& journal_;
  KeySet seen_;
};

RuntimeOptions with_serial(RuntimeOptions options, bool serial) {
  options.serial = serial;
  if (serial) options.spurious_failures = 0;
  return options;
}

void take(TestResult& result, Recorder& recorder) {
  for (const Incident& race : recorder.races) result.races.push_back(race);
  recorder.races.clear();
  if (recorder.failure) {
    result.verdict = TestVerdict::failed;
    result.failure = std::move(recorder.failure);
  } else if (!recorder.undecided.empty()) {
    result.undecided = recorder.undecided;
  }
}

void out_of_time(TestResult& result) {
  result.undecided = "out of time";
  result.limited = true;
}

/// Phase 2, with growing bounds: the first failure has as few preemptions as any.
class ConcurrentPhase {
 public:
  ConcurrentPhase(CheckBench& bench, Columns& columns, ConcurrentRecorder& recorder, TestResult& result)
      : bench_(bench), columns_(columns), recorder_(recorder), result_(result) {}

  void run() {
    if (bench_.options.strategy.kind != StrategyKind::depth_first) return run_random();
    for (unsigned late = 0; late <= bench_.options.late_yields; ++late) {
      counters_.cut_by_preemptions = true;
      const unsigned most = bench_.options.preemptions;
      for (unsigned bound = late > 0 || most >= DepthFirstBounds::unbounded ? most : 0;
           bound <= most && counters_.cut_by_preemptions; ++bound) {
        counters_.cut_by_preemptions = counters_.cut_by_late_yields = false;
        if (!run_pass({bound, late})) return finish(bound);
      }
      if (counters_.cut_by_late_yields) continue;
      result_.all_schedules = !counters_.cut_by_preemptions && counters_.held_back == 0;
      break;
    }
    result_.exhausted = true;
    finish(bench_.options.preemptions);
  }

 private:
  /// A sample of the schedules: whatever it does not show stays undecided.
  void run_random() {
    const StrategyConfig& config = bench_.options.strategy;
    std::uint64_t drawn = 0;
    const auto strategy = make_random_strategy(config, [&]() -> std::optional<std::uint64_t> {
      return drawn < config.executions ? std::optional(drawn++) : std::nullopt;
    });
    bool more = true;
    while (more && drawn < config.executions) more = run_search(*strategy) == SearchEnd::racy_sites_grew;
    if (!recorder_.failure && recorder_.undecided.empty()) {
      result_.undecided = fmt::format("{} random executions", drawn);
      result_.limited = true;
    }
    finish(bench_.options.preemptions);
  }

  /// False if the search shall not go on.
  bool run_pass(DepthFirstBounds bounds) {
    for (;;) {
      DepthFirstStrategy strategy(bounds);
      const SearchEnd end = run_search(strategy);
      if (end != SearchEnd::racy_sites_grew) return end == SearchEnd::exhausted;
      // The pass starts again, with more scheduling points.
    }
  }

  SearchEnd run_search(Strategy& strategy) {
    const SearchEnd end = search(bench_.engine, bench_.journal, columns_.program(), strategy, recorder_, counters_,
                                 {bench_.options.deadline}, bench_.interruption);
    if (end == SearchEnd::out_of_time) out_of_time(result_);
    return end;
  }

  void finish(unsigned bound) {
    take(result_, recorder_);
    if (result_.failure) result_.failure->bound = bound;
    result_.executions = counters_.executions;
    result_.cut = counters_.cut;
    result_.held_back = counters_.held_back;
    result_.steps = counters_.steps;
    result_.cpu_seconds += counters_.cpu_seconds;
    result_.histories = recorder_.histories;
    result_.stuck_histories = recorder_.stuck_histories;
  }

  CheckBench& bench_;
  Columns& columns_;
  ConcurrentRecorder& recorder_;
  TestResult& result_;
  Counters counters_;
};

std::optional<ObservationSet> observe_with(CheckBench& bench, const Test& test, Columns& columns, Responses& responses,
                                           TestResult& result) {
  const auto start = SteadyClock::now();
  const RuntimeOptions options = bench.engine.options();
  bench.engine.set_options(with_serial(options, true));
  columns.set_serial(true);
  ObservationSet observed(test, asynchronous_operations(bench.check, test));
  SerialRecorder recorder(bench.check, test, responses, bench.racy_sites, columns, observed);
  const Program program = columns.program();
  Counters counters;
  SearchEnd end = SearchEnd::racy_sites_grew;
  while (end == SearchEnd::racy_sites_grew) {
    DepthFirstStrategy strategy({DepthFirstBounds::unbounded, DepthFirstBounds::unbounded});
    end = search(bench.engine, bench.journal, program, strategy, recorder, counters, {bench.options.deadline},
                 bench.interruption);
  }
  bench.engine.set_options(options);
  columns.set_serial(false);
  if (end == SearchEnd::out_of_time) out_of_time(result);
  take(result, recorder);
  result.serial_full = observed.full();
  result.serial_stuck = observed.stuck();
  result.serial_executions = counters.executions;
  result.serial_seconds = seconds_since(start);
  result.cpu_seconds += counters.cpu_seconds;
  if (end != SearchEnd::exhausted || result.failure) return std::nullopt;
  return observed;
}

/// What phase 2 judges by: a record, a model, or what phase 1 observes; nothing if phase 1 already decides.
std::unique_ptr<SerialSpec> spec_of(CheckBench& bench, const Test& test, Columns& columns, Responses& responses,
                                    TestResult& result) {
  if (const auto& record = bench.options.record) {
    return std::make_unique<ObservationSet>(
        read_observations(record->text, record->file, bench.check, test, responses));
  }
  if (bench.check.modelled()) {
    return std::make_unique<ModelledSpec>(bench.check, test, responses, asynchronous_operations(bench.check, test));
  }
  auto observed = observe_with(bench, test, columns, responses, result);
  return observed ? std::make_unique<ObservationSet>(std::move(*observed)) : nullptr;
}

void require_enumerable(const CheckBench& bench, const Test& test) {
  if (test.columns.empty() || test.size() == 0) fail("check {}: an empty test shows nothing", bench.check.name);
  if (!bench.check.modelled() && !bench.check.synchronisation &&
      serial_orders(test) > bench.options.most_serial_orders) {
    fail(
        "check {}: a test of {} has {} serial orders, more than the {} that are enumerated: use a smaller --size, or "
        "give the object a sequential model with .model<M>()",
        bench.check.name, dimension(test),
        serial_orders(test) == ~std::uint64_t{0} ? "over 10^19" : std::to_string(serial_orders(test)),
        bench.options.most_serial_orders);
  }
}

}  // namespace

std::optional<ObservationSet> observe(CheckBench& bench, const Test& test, Responses& responses, TestResult& result) {
  require_enumerable(bench, test);
  Columns columns(bench.check, test);
  warm_up(bench.engine, bench.journal, columns.program());
  return observe_with(bench, test, columns, responses, result);
}

TestResult check_test(CheckBench& shared, const Test& test) {
  require_enumerable(shared, test);
  const auto start = SteadyClock::now();
  CheckBench bench = shared;
  if (bench.options.test_seconds > 0) {
    bench.options.deadline =
        std::min(bench.options.deadline,
                 start + std::chrono::milliseconds(static_cast<long>(bench.options.test_seconds * 1000)));
  }
  bench.racy_sites = RacySites{};
  TestResult result;
  Columns columns(bench.check, test);
  warm_up(bench.engine, bench.journal, columns.program());
  Responses responses;
  std::unique_ptr<SerialSpec> spec;
  std::unique_ptr<HistoryJudge> judge;
  if (bench.check.synchronisation) {
    judge = std::make_unique<SynchronisationJudge>(bench.check, test, responses, bench.options.synchronisation);
  } else if ((spec = spec_of(bench, test, columns, responses, result))) {
    judge = std::make_unique<SerialJudge>(bench.check, test, responses, *spec, bench.options.classic);
  }
  if (judge) {
    ConcurrentRecorder recorder(bench.check, test, responses, bench.racy_sites, columns, *judge, bench.journal);
    ConcurrentPhase(bench, columns, recorder, result).run();
    judge->add_counts(result);
    if (result.verdict != TestVerdict::failed && result.exhausted && result.undecided.empty())
      result.verdict = TestVerdict::passed;
  }
  result.seconds = seconds_since(start);
  return result;
}

}  // namespace muster
