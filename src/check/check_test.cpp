#include "check/check_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "check/check_referee.hpp"
#include "check/concurrent_phase.hpp"
#include "check/controlled_runs.hpp"
#include "check/serial_recorder.hpp"
#include "rule/history_judge.hpp"
#include "rule/kept_observations.hpp"
#include "rule/modelled_spec.hpp"
#include "rule/observation_file.hpp"
#include "rule/quasi_judge.hpp"
#include "rule/synchronisation_judge.hpp"
#include "schedule/depth_first_strategy.hpp"

namespace muster {
namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

/// Ends a test that took more than its share of the processor. What else the machine does must not decide a verdict.
class Patience final : public Interruption {
 public:
  Patience(double seconds, Interruption& other)
      : other_(other),
        until_(seconds > 0 ? cpu_seconds_of_this_process() + seconds : std::numeric_limits<double>::infinity()) {}

  bool go_on(Strategy& strategy, Schedule& schedule) override {
    constexpr unsigned look_every = 64;
    if (++executions_ % look_every == 0) over_ = is_over();
    return !over_ && other_.go_on(strategy, schedule);
  }
  bool over() const { return over_; }

 private:
  /// One thread of this process runs at a time, so it uses no more of a processor than time passes. The clock of time
  /// is read without asking the kernel.
  bool is_over() {
    if (until_ == std::numeric_limits<double>::infinity() || SteadyClock::now() < not_before_) return false;
    const double left = until_ - cpu_seconds_of_this_process();
    if (left < 0) return true;
    not_before_ =
        SteadyClock::now() + std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(left));
    return false;
  }

  Interruption& other_;
  double until_;
  SteadyClock::time_point not_before_{};
  unsigned executions_ = 0;
  bool over_ = false;
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
    SearchEnd end = SearchEnd::learned;
    while (end == SearchEnd::learned) {
      DepthFirstStrategy strategy({bound, DepthFirstBounds::unbounded});
      end = search(bench.engine, bench.slot.journal, program, strategy, recorder, counters, limits, bench.interruption);
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
  ObservationSet observed(test, responses, asynchronous_operations(bench.check, test),
                          HandleNames(bench.check, test, responses));
  SerialRecorder recorder(bench.check, test, responses, bench.slot.racy_sites, columns, observed, unlucky);
  if (bench.found) {
    recorder.found = [&](Failure race) {
      race.serial = true;
      bench.found(race);
    };
  }
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
  result.serial_steps = counters.steps;
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
  if (bench.observed && !bench.observed->empty()) {
    auto known = std::make_unique<ObservationSet>(test, responses, asynchronous_operations(bench.check, test),
                                                  HandleNames(bench.check, test, responses));
    restore(*bench.observed, *known, responses);
    return known;
  }
  auto observed = observe_with(bench, test, columns, responses, result);
  if (observed && bench.options.strategy.kind == StrategyKind::portfolio) result.observed = keep(*observed, responses);
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
  const bool may_be =
      result.failure &&
      (result.failure->kind == FindingKind::not_linearizable || result.failure->kind == FindingKind::stuck) &&
      (result.failure->expired || bench.engine.options().spurious_failures > 0);
  if (!judged_serially || !may_be) return;
  TestResult again;
  Responses responses;
  observe_with(bench, test, columns, responses, again, true);
  if (again.failure && again.failure->kind == FindingKind::unlucky) result.failure = std::move(again.failure);
}

/// A quasi check tells the first history that needs the largest factor, which only one process knows.
bool can_be_shared(const CheckBench& bench) {
  const StrategyKind kind = bench.options.strategy.kind;
  const bool can =
      kind == StrategyKind::portfolio || kind == StrategyKind::depth_first || kind == StrategyKind::reduction;
  return can && !quasi_request(bench).is_made();
}

/// Of a search that was stopped, which itself does not know why.
void tell_limit(TestResult& result, bool took_its_time) {
  const bool stopped = result.undecided.empty() || result.limit == Limit::run;
  if (result.verdict != TestVerdict::undecided || !stopped) return;
  result.limit = took_its_time ? Limit::test : Limit::run;
  if (took_its_time) result.undecided = "took more than its --test-budget";
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
  warm_up(bench.engine, bench.slot.journal, columns.program());
  return observe_with(bench, test, columns, responses, result);
}

std::optional<TestResult> help_test(CheckBench& bench, const Test& test, RacySites& sites) {
  bench.slot.racy_sites = RacySites{};
  Columns columns(bench.check, test);
  const Program program = columns.program();
  warm_up(bench.engine, bench.slot.journal, program);
  Responses responses;
  std::unique_ptr<SerialSpec> spec;
  TestResult known;  // by the worker that has the test
  const auto judge = judge_of(bench, test, columns, responses, spec, known);
  if (!judge) return std::nullopt;
  ConcurrentRecorder recorder(bench.check, test, responses, bench.slot.racy_sites, columns, *judge, bench.slot.journal,
                              bench.options);
  recorder.found = bench.found;
  TestResult part;
  if (!ConcurrentPhase(bench, program, recorder, part).run_part(sites)) return std::nullopt;
  return part;
}

TestResult check_test(CheckBench& shared, const Test& test) {
  require_enumerable(shared, test);
  const auto start = SteadyClock::now();
  Patience patience(shared.options.test_seconds, shared.interruption);
  CheckBench bench{shared.engine,  shared.slot, shared.pass,      shared.check,  shared.options,  patience,
                   shared.subject, false,       shared.resumable, shared.resume, shared.observed, shared.found};
  bench.slot.racy_sites = RacySites{};
  TestResult result;
  Columns columns(bench.check, test);
  const Program program = columns.program();
  warm_up(bench.engine, bench.slot.journal, program);
  Responses responses;
  std::unique_ptr<SerialSpec> spec;
  if (const auto judge = judge_of(bench, test, columns, responses, spec, result)) {
    ConcurrentRecorder recorder(bench.check, test, responses, bench.slot.racy_sites, columns, *judge,
                                bench.slot.journal, bench.options);
    bench.shareable = shared.shareable && can_be_shared(bench);
    bench.resumable = can_be_shared(bench) && !bench.options.tell_histories;
    bench.pass.set_subject(bench.subject);
    recorder.found = bench.found;
    ConcurrentPhase(bench, program, recorder, result).run();
    if (result.failure && bench.found) bench.found(*result.failure);
    result.helpers = bench.pass.helpers();
    bench.pass.set_subject(SharedPass::nothing);
    if (result.helpers == 0 && !bench.resume && !result.rest) result.met.clear();
    judge->add_counts(result);
    look_for_nondeterminism(bench, test, columns, result);
    if (result.verdict != TestVerdict::failed && result.exhausted && result.undecided.empty())
      result.verdict = TestVerdict::passed;
  }
  if (!result.rest) result.observed.clear();
  tell_limit(result, patience.over());
  result.seconds = seconds_since(start);
  return result;
}

bool with_referee(CheckBench& bench, const Test& test, absl::FunctionRef<void(const Program&, Referee&)> use) {
  Columns columns(bench.check, test);
  const Program program = columns.program();
  warm_up(bench.engine, bench.slot.journal, program);
  Responses responses;
  std::unique_ptr<SerialSpec> spec;
  TestResult known;
  const auto judge = judge_of(bench, test, columns, responses, spec, known);
  if (!judge) return false;
  ConcurrentRecorder recorder(bench.check, test, responses, bench.slot.racy_sites, columns, *judge, bench.slot.journal,
                              bench.options);
  CheckReferee referee(recorder);
  use(program, referee);
  return true;
}

CheckBench lonely_bench(Engine& engine, WorkerSlot& slot, const CheckDefinition& check, const CheckOptions& options) {
  class Patient final : public Interruption {};
  static Patient patient;
  return {engine, slot, slot.pass, check, options, patient};
}

void take_counts(TestResult& result, const Counters& counters) {
  result.add(counters);
  result.share_done = counters.share_done;
}

}  // namespace muster
