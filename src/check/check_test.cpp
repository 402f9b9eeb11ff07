#include "check/check_test.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "check/concurrent_recorder.hpp"
#include "check/controlled_runs.hpp"
#include "check/history_judge.hpp"
#include "check/modelled_spec.hpp"
#include "check/observation_file.hpp"
#include "check/quasi_judge.hpp"
#include "check/serial_recorder.hpp"
#include "check/synchronisation_judge.hpp"
#include "schedule/depth_first_strategy.hpp"
#include "schedule/reduction_strategy.hpp"
#include "schedule/turn_strategy.hpp"

namespace muster {
namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
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

/// Ends a test that took more than its share of the processor. What else the machine does must not decide a verdict.
class Patience final : public Interruption {
 public:
  Patience(double seconds, Interruption& other)
      : other_(other), until_(seconds > 0 ? used() + seconds : std::numeric_limits<double>::infinity()) {}

  bool go_on(Strategy& strategy, Schedule& schedule) override {
    constexpr unsigned look_every = 64;
    if (++executions_ % look_every == 0) over_ = used() > until_;
    return !over_ && other_.go_on(strategy, schedule);
  }
  bool over() const { return over_; }

 private:
  static double used() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }

  Interruption& other_;
  double until_;
  unsigned executions_ = 0;
  bool over_ = false;
};

/// Phase 2, with growing bounds: the first failure has as few preemptions as any.
class ConcurrentPhase {
 public:
  ConcurrentPhase(CheckBench& bench, Columns& columns, ConcurrentRecorder& recorder, TestResult& result)
      : bench_(bench), columns_(columns), recorder_(recorder), result_(result) {}

  void run() {
    if (bench_.options.strategy.kind == StrategyKind::reduction) return run_reduction();
    const bool predicts = bench_.options.strategy.kind == StrategyKind::predict;
    if (!predicts && bench_.options.strategy.kind != StrategyKind::depth_first) return run_random();
    if (predicts && bench_.options.predicted_only) {
      bench_.options.steering->record();  // so that operations are told as transactions
      follow_predictions();
      bench_.options.steering->end();
      return finish(bench_.options.preemptions);
    }
    const unsigned most = bench_.options.preemptions;
    const bool unbounded = most >= DepthFirstBounds::unbounded;
    if (predicts && unbounded && (!run_recorded_pass() || bench_.options.recorded_only)) return finish(most);
    for (unsigned late = 0; late <= bench_.options.late_yields; ++late) {
      counters_.cut_by_preemptions = true;
      for (unsigned bound = late > 0 || unbounded ? most : 0; bound <= most && counters_.cut_by_preemptions; ++bound) {
        counters_.cut_by_preemptions = counters_.cut_by_late_yields = false;
        const bool recorded = predicts && bound == 0 && late == 0;
        if (!(recorded ? run_recorded_pass() : run_pass({bound, late}))) return finish(bound);
        if (recorded && bench_.options.recorded_only) return finish(bound);
      }
      if (counters_.cut_by_late_yields) continue;
      result_.all_schedules = !counters_.cut_by_preemptions && counters_.held_back == 0;
      break;
    }
    result_.exhausted = true;
    finish(bench_.options.preemptions);
  }

 private:
  /// One execution of each class; with a bound, those classes that have an execution within it.
  void run_reduction() {
    const unsigned most = bench_.options.preemptions;
    unsigned bound = most >= DepthFirstBounds::unbounded ? most : 0;
    for (;; ++bound) {
      counters_.cut_by_preemptions = false;
      SearchEnd end = SearchEnd::racy_sites_grew;
      while (end == SearchEnd::racy_sites_grew) {
        ReductionStrategy strategy(ReductionConfig::with_bound(bound));
        recorder_.watch(strategy);
        end = run_search(strategy);
      }
      if (end != SearchEnd::exhausted) {
        realise();
        return finish(bound);
      }
      if (!counters_.cut_by_preemptions || bound >= most) break;
    }
    result_.exhausted = true;
    result_.all_schedules = !counters_.cut_by_preemptions;
    finish(bound);
  }

  /// A failing history of a class is shown by an execution of its own, or it is no failure.
  void realise() {
    if (!recorder_.failure || recorder_.turns.empty()) return;
    const Program program = columns_.program();
    TransitionCounter counter(recorder_.failure->schedule);
    ConcurrentRecorder again = recorder_.fresh();
    counter.begin_execution(bench_.journal.schedule);
    again.begin_execution();
    bench_.engine.execute(program, counter, again.observer());
    std::vector<TurnStrategy::Turn> turns;
    for (const auto& turn : recorder_.turns) turns.push_back({turn.thread, counter.events(turn.thread, turn.ordinal)});
    TurnStrategy strategy(std::move(turns), recorder_.failure->schedule);
    ConcurrentRecorder real = recorder_.fresh();
    strategy.begin_execution(bench_.journal.schedule);
    real.begin_execution();
    const Execution execution = bench_.engine.execute(program, strategy, real.observer());
    real.end_execution(execution, bench_.journal.schedule, bench_.engine);
    recorder_.failure = std::move(real.failure);
    if (!recorder_.failure)
      recorder_.undecided = "a class of executions has a failing history, but no execution showed it";
  }

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

  /// The pass without preemptions, which every search begins with. Each of its executions is recorded, and the orders
  /// that it lets expect something of are tried at once. False if the search shall not go on.
  bool run_recorded_pass() {
    Steering& steering = *bench_.options.steering;
    const auto pass = [&] {
      DepthFirstStrategy strategy({0, 0});
      for (;;) {
        steering.record();
        const SearchEnd end = run_search(strategy, 1);
        if (end != SearchEnd::out_of_time || !result_.undecided.empty()) return end;
        if (!follow_predictions()) return SearchEnd::stopped;
      }
    };
    SearchEnd end = SearchEnd::racy_sites_grew;
    while (end == SearchEnd::racy_sites_grew) end = pass();
    steering.end();
    return end == SearchEnd::exhausted;
  }

  /// False if something was found. What the predicted executions do not show, nor bring to an end, is left to the
  /// search, which needs none of the points that made it possible to follow a plan.
  bool follow_predictions() {
    Steering& steering = *bench_.options.steering;
    const std::size_t count = steering.predict();
    if (count == 0) return true;
    const auto decisions = bench_.journal.schedule.decisions();
    const std::vector<Decision> schedule(decisions.begin(), decisions.end());
    const RacySites racy_sites = bench_.racy_sites;
    const RuntimeOptions usual = bench_.engine.options();
    RuntimeOptions planned = usual;
    planned.planned = true;
    bench_.engine.set_options(planned);
    bool more = true;
    for (std::size_t i = 0; more && i < count; ++i) {
      more = run_again(steering.follow(i)) || (!recorder_.failure && !recorder_.undecided.empty());
      if (more && !bench_.options.predicted_only) recorder_.undecided.clear();
    }
    if (recorder_.failure) recorder_.failure->planned = true;
    bench_.engine.set_options(usual);
    bench_.racy_sites = racy_sites;
    bench_.journal.schedule.assign(schedule);
    return more;
  }

  /// One execution, again whenever it needs more points. False if no other shall follow.
  bool run_again(Strategy& strategy) {
    constexpr unsigned most_attempts = 500;
    SearchEnd end = SearchEnd::racy_sites_grew;
    for (unsigned i = 0; end == SearchEnd::racy_sites_grew && i < most_attempts; ++i) {
      strategy.rewind();
      end = run_search(strategy);
    }
    return end == SearchEnd::exhausted || end == SearchEnd::racy_sites_grew;
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

  /// With fewer executions than the strategy has, it ends as if out of time, and may be gone on with.
  SearchEnd run_search(Strategy& strategy, std::uint64_t executions = ~std::uint64_t{0}) {
    const SearchEnd end = search(bench_.engine, bench_.journal, columns_.program(), strategy, recorder_, counters_,
                                 {bench_.options.deadline, executions}, bench_.interruption);
    const bool all = executions == ~std::uint64_t{0};
    if (end == SearchEnd::out_of_time && (all || SteadyClock::now() > bench_.options.deadline)) out_of_time(result_);
    return end;
  }

  void finish(unsigned bound) {
    take(result_, recorder_);
    if (result_.failure) result_.failure->bound = bound;
    result_.executions = counters_.executions;
    result_.cut = counters_.cut;
    result_.held_back = counters_.held_back;
    result_.steps += counters_.steps;
    result_.cpu_seconds += counters_.cpu_seconds;
    result_.classes = recorder_.classes;
    result_.asleep = counters_.abandoned;
    recorder_.tell(result_);
  }

  CheckBench& bench_;
  Columns& columns_;
  ConcurrentRecorder& recorder_;
  TestResult& result_;
  Counters counters_;
};

/// Phase 1 of one test. Threads of the object's own make far more serial executions than there are orders of calls.
/// Without preemptions by them, every order has executions, which all come to their end: enough for what phase 2
/// proves. With more preemptions, as many as there is room for, it shows whether answers depend on these threads.
SearchEnd search_serially(CheckBench& bench, const Program& program, SerialRecorder& recorder, Counters& counters,
                          TestResult& result) {
  constexpr std::uint64_t most_with_preemptions = 100'000;
  for (unsigned bound = 0;; ++bound) {
    const SearchLimits limits{bench.options.deadline, bound > 0 ? most_with_preemptions : ~std::uint64_t{0}};
    counters.cut_by_preemptions = false;
    SearchEnd end = SearchEnd::racy_sites_grew;
    while (end == SearchEnd::racy_sites_grew) {
      DepthFirstStrategy strategy({bound, DepthFirstBounds::unbounded});
      end = search(bench.engine, bench.journal, program, strategy, recorder, counters, limits, bench.interruption);
    }
    const bool too_many = end == SearchEnd::out_of_time && bound > 0 && SteadyClock::now() < bench.options.deadline;
    if (too_many) {
      result.own_threads_bound = static_cast<int>(bound) - 1;
      return SearchEnd::exhausted;
    }
    if (end != SearchEnd::exhausted || !counters.cut_by_preemptions) return end;
  }
}

std::optional<ObservationSet> observe_with(CheckBench& bench, const Test& test, Columns& columns, Responses& responses,
                                           TestResult& result, bool unlucky = false) {
  const auto start = SteadyClock::now();
  const RuntimeOptions options = bench.engine.options();
  bench.engine.set_options(serial_options(options, unlucky));
  columns.set_serial(true);
  columns.set_golden(bench.check.golden);
  ObservationSet observed(test, responses, asynchronous_operations(bench.check, test));
  SerialRecorder recorder(bench.check, test, responses, bench.racy_sites, columns, observed, unlucky);
  const Program program = columns.program();
  Counters counters;
  const SearchEnd end = search_serially(bench, program, recorder, counters, result);
  bench.engine.set_options(options);
  columns.set_serial(false);
  columns.set_golden(false);
  if (end == SearchEnd::out_of_time) out_of_time(result);
  take(result, recorder);
  result.serial_full = observed.full();
  result.serial_stuck = observed.stuck();
  result.serial_executions = counters.executions;
  result.steps += counters.steps;
  result.serial_seconds = seconds_since(start);
  result.cpu_seconds += counters.cpu_seconds;
  if (end != SearchEnd::exhausted || result.failure) return std::nullopt;
  return observed;
}

QuasiRequest quasi_request(const CheckBench& bench) {
  return QuasiRequest(bench.check, bench.options.quasi, bench.options.quasi_spec);
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

/// The same for a quasi check: what is judged by can be asked about every order of calls.
std::optional<QuasiBasis> quasi_basis(CheckBench& bench, const Test& test, Columns& columns, Responses& responses,
                                      const QuasiRequest& request, TestResult& result) {
  QuasiBasis basis;
  if (request.by_builtin()) {
    basis.spec = builtin_spec(bench.check, request.builtin);
    basis.builtin = true;
    return basis;
  }
  if (!bench.check.slots.empty())
    fail("check {}: with handles, quasi-linearizability is judged by a built-in object alone", bench.check.name);
  if (bench.check.modelled()) {
    basis.spec = modelled_spec(bench.check);
    basis.orders = spec_of(bench, test, columns, responses, result);
    return basis;
  }
  // A golden class says itself what is right; of the class under test it must first be seen that it is deterministic.
  if (!bench.check.golden && !(basis.orders = spec_of(bench, test, columns, responses, result))) return std::nullopt;
  basis.runs = controlled_runs(bench, test);
  const auto* observed = dynamic_cast<const ObservationSet*>(basis.orders.get());
  basis.spec = executed_spec(bench.check, test, *basis.runs, observed, responses);
  return basis;
}

/// Nothing if phase 1 already decides.
std::unique_ptr<HistoryJudge> judge_of(CheckBench& bench, const Test& test, Columns& columns, Responses& responses,
                                       std::unique_ptr<SerialSpec>& spec, TestResult& result) {
  if (bench.check.synchronisation)
    return std::make_unique<SynchronisationJudge>(bench.check, test, responses, bench.options.synchronisation);
  if (const QuasiRequest request = quasi_request(bench); request.is_made() && !bench.options.record) {
    auto basis = quasi_basis(bench, test, columns, responses, request, result);
    if (!basis) return nullptr;
    return std::make_unique<QuasiJudge>(bench.check, test, responses, std::move(*basis), request.factors);
  }
  spec = spec_of(bench, test, columns, responses, result);
  if (!spec) return nullptr;
  return std::make_unique<SerialJudge>(bench.check, test, responses, *spec, bench.options.classic);
}

/// A failure that needs a timeout or a spurious failure may be one of a single thread, too: then that is what is wrong.
void look_for_nondeterminism(CheckBench& bench, const Test& test, Columns& columns, TestResult& result) {
  const bool judged_serially = !bench.options.record && !bench.check.modelled();
  const bool may_be = result.failure &&
                      (result.failure->kind == FailureKind::no_witness || result.failure->kind == FailureKind::stuck) &&
                      (result.failure->expired || bench.engine.options().spurious_failures > 0);
  if (!judged_serially || !may_be) return;
  TestResult again;
  Responses responses;
  observe_with(bench, test, columns, responses, again, true);
  if (again.failure && again.failure->kind == FailureKind::unlucky) result.failure = std::move(again.failure);
}

void require_enumerable(const CheckBench& bench, const Test& test) {
  if (test.columns.empty() || test.size() == 0) fail("check {}: an empty test shows nothing", bench.check.name);
  const QuasiRequest request = quasi_request(bench);
  const bool judged_otherwise = bench.check.modelled() || bench.check.synchronisation || request.by_builtin() ||
                                (request.is_made() && bench.check.golden);
  if (!judged_otherwise && serial_orders(test) > bench.options.most_serial_orders) {
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
  Patience patience(shared.options.test_seconds, shared.interruption);
  CheckBench bench{shared.engine, shared.journal, shared.racy_sites, shared.check, shared.options, patience};
  bench.racy_sites = RacySites{};
  TestResult result;
  Columns columns(bench.check, test);
  warm_up(bench.engine, bench.journal, columns.program());
  Responses responses;
  std::unique_ptr<SerialSpec> spec;
  if (const auto judge = judge_of(bench, test, columns, responses, spec, result)) {
    ConcurrentRecorder recorder(bench.check, test, responses, bench.racy_sites, columns, *judge, bench.journal,
                                bench.options.tell_histories);
    ConcurrentPhase(bench, columns, recorder, result).run();
    judge->add_counts(result);
    look_for_nondeterminism(bench, test, columns, result);
    if (result.verdict != TestVerdict::failed && result.exhausted && result.undecided.empty())
      result.verdict = TestVerdict::passed;
  }
  if (patience.over() && result.verdict == TestVerdict::undecided && result.undecided.empty()) out_of_time(result);
  result.seconds = seconds_since(start);
  return result;
}

}  // namespace muster
