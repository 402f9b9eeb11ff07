#include "check/check_test.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <bit>
#include <map>

#include "base/error.hpp"
#include "check/history_judge.hpp"
#include "check/key_set.hpp"
#include "check/modelled_spec.hpp"
#include "check/observation_file.hpp"
#include "check/class_recorder.hpp"
#include "check/quasi_spec.hpp"
#include "check/recorder.hpp"
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
                 const Columns& columns, ObservationSet& observed, bool unlucky)
      : Recorder(check, test, responses, racy_sites), columns_(columns), observed_(observed), unlucky_(unlucky) {}

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
    failure = fail_with(unlucky_      ? FailureKind::unlucky
                        : own_threads ? FailureKind::own_threads
                                      : FailureKind::nondeterministic,
                        history_, schedule.decisions());
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
  bool unlucky_;
};

/// Phase 2: a judge looks at every history.
class ConcurrentRecorder final : public Recorder {
 public:
  ConcurrentRecorder(const CheckDefinition& check, const Test& test, Responses& responses, const RacySites& racy_sites,
                     Columns& columns, HistoryJudge& judge, const Journal& journal, bool tell_histories)
      : Recorder(check, test, responses, racy_sites),
        columns_(columns),
        judge_(judge),
        quasi_(dynamic_cast<const QuasiJudge*>(&judge)),
        journal_(journal),
        tell_histories_(tell_histories) {}

  bool end_execution(const Execution& execution, const Schedule& schedule, Engine&) override {
    if (!is_over()) {  // else found at a point where everything pending was blocked
      if (ended_otherwise(execution, schedule, columns_)) return !is_over() && undecided.empty();
      history_.spinning = execution.livelock;
      if (classes_) {
        judge_classes(execution.ending == Ending::stuck, schedule.decisions());
      } else {
        judge(execution.ending == Ending::stuck, schedule.decisions());
      }
    }
    if (failure) failure->expired = execution.expired;
    return !is_over() && undecided.empty();
  }
  void begin_execution() override {
    Recorder::begin_execution();
    if (classes_) classes_->begin_execution();
  }

  /// One that has seen nothing yet.
  ConcurrentRecorder fresh() const { return {check_, test_, responses_, racy_sites_, columns_, judge_, journal_, tell_histories_}; }

  /// From now on executions stand for their classes, as `strategy` makes them.
  void watch(const ReductionStrategy& strategy) { classes_.emplace(test_, strategy); }

  std::uint64_t classes = 0;
  std::vector<ClassRecorder::Turn> turns;  // of an execution that shows the failure, if it is one of a class

  /// What the histories were like, for the result of the test.
  void tell(TestResult& result) {
    result.histories = histories_;
    result.stuck_histories = stuck_histories_;
    if (quasi_) quasi_->tell(result);
    result.largest_factor = largest_factor_;
    result.widest = widest_;
    for (const auto& [key, met] : met_) result.told.push_back(fmt::format("history met {} times\n{}", met.times, met.text));
  }

 private:
  void mark(ThreadId thread, std::uint32_t operation, Mark mark, std::span<const std::byte> bytes) noexcept override {
    Recorder::mark(thread, operation, mark, bytes);
    if (!classes_) return;
    if (mark == Mark::call) classes_->call(thread, operation, engine->current().attached);
    if (mark == Mark::ret) classes_->ret(operation);
  }

  bool goes_back() const noexcept override { return !classes_ && columns_.goes_back(); }
  void pass(Tape& tape) noexcept override {
    history_.pass(tape);
    tape.pass(current_);
    columns_.pass(tape);
  }

  /// All histories of the class that this execution stands for, and of its cuts where something is stuck.
  void judge_classes(bool stuck, std::span<const Decision> schedule) {
    const Recorded seen = history_;
    if (!seen.signals.empty()) {
      undecided = "signal points are not looked at under reduction: leave out --unbounded";
      return;
    }
    judge_class(classes_->whole(seen), stuck, {}, schedule);
    if (!judge_.looks_at_blocked_points()) return;
    classes_->each_stuck_cut(seen, [&](const HistoryClass& cut, const ClassRecorder::Cut& where) {
      if (!failure) judge_class(cut, true, where, schedule);
    });
  }

  void judge_class(const HistoryClass& classed, bool stuck, const ClassRecorder::Cut& cut, std::span<const Decision> schedule) {
    if (!seen_classes_.insert(mix(classed.key(), stuck))) return;
    ++classes;
    each_history(classed, [&](const Recorded& history) {
      const bool spinning = history_.spinning;
      history_ = history;
      history_.spinning = spinning;
      judge(stuck, schedule);
      if (failure) turns = classes_->order_with(history, cut);
      return !failure;
    });
  }

  /// One failing history is enough, unless all are to be told.
  bool is_over() const { return failure && !tell_histories_; }

  void all_pending_blocked() noexcept override {
    if (is_over() || classes_ || !judge_.looks_at_blocked_points()) return;
    const bool was_controlled = std::exchange(controlled, false);
    judge(true, journal_.schedule.decisions());
    history_.stuck = false;
    controlled = was_controlled;
  }

  void judge(bool stuck, std::span<const Decision> schedule) {
    history_.stuck = stuck;
    if (tell_histories_ && !stuck) {
      Met& met = met_[history_.key()];
      if (met.times++ == 0) met.text = to_text(to_history(check_, test_, history_, responses_));
    }
    if (!seen_.insert(history_.key())) return;
    ++histories_;
    stuck_histories_ += stuck;
    Ruling ruling = judge_.judge(history_);
    if (!ruling.undecided.empty()) undecided = std::move(ruling.undecided);
    if (quasi_ && quasi_->largest_factor() > largest_factor_) {
      largest_factor_ = quasi_->largest_factor();
      widest_ = fail_with(FailureKind::not_quasi, history_, schedule);
      widest_->note = quasi_->explanation();
    }
    if (!ruling.objection || failure) return;
    Failure objected = failure_of(std::move(*ruling.objection), test_, responses_, history_);
    failure = fail_with(objected.kind, history_, schedule);
    failure->blamed = objected.blamed;
    failure->possible = std::move(objected.possible);
    failure->serial_orders = std::move(objected.serial_orders);
    failure->serial_runs = std::move(objected.serial_runs);
    failure->note = std::move(objected.note);
  }

  struct Met {
    std::uint64_t times = 0;
    std::string text;
  };

  Columns& columns_;
  HistoryJudge& judge_;
  const QuasiJudge* quasi_;  // the same, if it is one
  const Journal& journal_;
  bool tell_histories_;
  KeySet seen_, seen_classes_;
  std::optional<ClassRecorder> classes_;
  std::map<std::uint64_t, Met> met_;  // by key of the history
  std::uint64_t histories_ = 0, stuck_histories_ = 0;
  unsigned largest_factor_ = 0;
  std::optional<Failure> widest_;
};

/// In a serial execution nothing fails spuriously, and waits expire only when nothing else can happen; unless asked
/// for.
RuntimeOptions serial_options(RuntimeOptions options, bool unlucky) {
  options.serial = true;
  options.early_timeouts = unlucky;
  if (!unlucky) options.spurious_failures = 0;
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
    if (bench_.options.strategy.kind == StrategyKind::reduction) return run_reduction();
    if (bench_.options.strategy.kind == StrategyKind::predict) return run_predicted();
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
    // A thread that was given up in a loop may be what others wait for: nothing is claimed then.
    result_.exhausted = counters_.loops_cut == 0;
    result_.all_schedules = result_.exhausted && !counters_.cut_by_preemptions;
    if (!result_.exhausted) result_.undecided = "threads that wait in loops were given up: explore this test by --strategy dfs";
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
    if (!recorder_.failure) recorder_.undecided = "a class of executions has a failing history, but no execution showed it";
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

  /// Executions without preemptions, and whatever they let expect: like a sample, it leaves open what it does not show.
  void run_predicted() {
    Steering& steering = *bench_.options.steering;
    const RuntimeOptions usual = bench_.engine.options();
    RuntimeOptions planned = usual;
    planned.planned = true;
    bench_.engine.set_options(planned);
    std::uint64_t predictions = 0;
    bool more = true;
    for (std::size_t first = 1; more && first <= columns_.started(); ++first) {
      steering.record();
      ColumnOrderStrategy order(static_cast<ThreadId>(first));
      more = run_again(order);
      const std::size_t count = steering.predict();
      predictions += count;
      for (std::size_t i = 0; more && i < count; ++i) more = run_again(steering.follow(i));
    }
    steering.end();
    bench_.engine.set_options(usual);
    if (recorder_.failure) recorder_.failure->planned = true;
    if (!recorder_.failure && recorder_.undecided.empty() && result_.undecided.empty()) {
      result_.undecided = fmt::format("{} predicted executions", predictions);
      result_.limited = true;
    }
    finish(bench_.options.preemptions);
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

std::optional<ObservationSet> observe_with(CheckBench& bench, const Test& test, Columns& columns, Responses& responses,
                                           TestResult& result, bool unlucky = false) {
  const auto start = SteadyClock::now();
  const RuntimeOptions options = bench.engine.options();
  bench.engine.set_options(serial_options(options, unlucky));
  columns.set_serial(true);
  columns.set_golden(bench.check.golden);
  ObservationSet observed(test, asynchronous_operations(bench.check, test));
  SerialRecorder recorder(bench.check, test, responses, bench.racy_sites, columns, observed, unlucky);
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
  columns.set_golden(false);
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
  const QuasiRequest request = quasi_request(bench);
  if (request.by_builtin()) {
    return std::make_unique<QuasiSpec>(bench.check, test, responses, builtin_spec(bench.check, request), request.factors, nullptr);
  }
  if (request.is_made()) {
    fail("check {}: quasi-linearizability of a check is judged by a built-in object: check.quasi(\"{}\", \"queue\"), or --spec queue",
         bench.check.name, request.factors);
  }
  if (bench.check.modelled()) {
    return std::make_unique<ModelledSpec>(bench.check, test, responses, asynchronous_operations(bench.check, test));
  }
  auto observed = observe_with(bench, test, columns, responses, result);
  return observed ? std::make_unique<ObservationSet>(std::move(*observed)) : nullptr;
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
  const bool judged_otherwise =
      bench.check.modelled() || bench.check.synchronisation || quasi_request(bench).by_builtin();
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
    if (const auto* quasi = dynamic_cast<const QuasiSpec*>(spec.get())) {
      judge = std::make_unique<QuasiJudge>(bench.check, test, responses, *quasi);
    } else {
      judge = std::make_unique<SerialJudge>(bench.check, test, responses, *spec, bench.options.classic);
    }
  }
  if (judge) {
    ConcurrentRecorder recorder(bench.check, test, responses, bench.racy_sites, columns, *judge, bench.journal,
                                bench.options.tell_histories);
    ConcurrentPhase(bench, columns, recorder, result).run();
    judge->add_counts(result);
    look_for_nondeterminism(bench, test, columns, result);
    if (result.verdict != TestVerdict::failed && result.exhausted && result.undecided.empty())
      result.verdict = TestVerdict::passed;
  }
  result.seconds = seconds_since(start);
  return result;
}

}  // namespace muster
