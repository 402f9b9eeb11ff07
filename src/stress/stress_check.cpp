#include "stress/stress_check.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>

#include <algorithm>
#include <bit>
#include <memory>

#include "base/error.hpp"
#include "base/key_table.hpp"
#include "rule/history_judge.hpp"
#include "rule/modelled_spec.hpp"
#include "rule/observation_set.hpp"
#include "rule/quasi_judge.hpp"
#include "rule/synchronisation_judge.hpp"

namespace muster {
namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

const detail::OperationDefinition& definition_of(const CheckDefinition& check, const TestOperation& operation) {
  return check.operations[check.invocations[operation.invocation].operation];
}

/// Orders that phase 1 did not run stay open: a run on real threads may block for good.
class NoMoreRuns final : public SerialRuns {
 public:
  std::vector<std::vector<std::string>> answers(std::span<const Invocation>) override {
    not_known_ = "what the class answers to these calls in another order was not observed on real threads";
    return {};
  }
};

template <class Predicate>
std::uint64_t operations_that(const CheckDefinition& check, const Test& test, Predicate predicate) {
  std::uint64_t mask = 0;
  const auto operations = operations_of(test);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (predicate(definition_of(check, operations[i]))) mask |= std::uint64_t{1} << i;
  }
  return mask;
}

/// One test after the other: what it does serially, then its runs.
class StressTest {
 public:
  StressTest(const CheckDefinition& check, const Test& test, const StressCheckOptions& options)
      : check_(check), test_(test), options_(options), halt_(options.deadline, options.interrupted) {
    if (test.columns.empty() || test.size() == 0) fail("check {}: an empty test shows nothing", check.name);
    if (test.size() > max_operations)
      fail("check {}: a test may have at most {} operations", check.name, max_operations);
  }

  TestResult run() {
    const auto start = SteadyClock::now();
    if (find_judge()) {
      run_concurrently();
      judge_->add_counts(result_);
    }
    if (result_.failure) {
      result_.verdict = TestVerdict::failed;
    } else if (result_.undecided.empty()) {
      result_.verdict = stopped_ ? TestVerdict::undecided : TestVerdict::passed;
      if (stopped_) result_.limit = Limit::run;
    }
    result_.seconds = seconds_since(start);
    return std::move(result_);
  }

 private:
  bool find_judge() {
    if (check_.synchronisation) {
      judge_ = std::make_unique<SynchronisationJudge>(check_, test_, responses_, options_.synchronisation);
      return true;
    }
    const QuasiRequest request(check_, "", "");
    if (request.by_builtin()) {
      judge_quasi({.spec = builtin_spec(check_, request.builtin), .builtin = true}, request);
      return true;
    }
    if (check_.golden) {
      fail(
          "check {}: a golden class is run under control: instrument this program; on real threads name a built-in "
          "object or "
          "a model",
          check_.name);
    }
    if (!find_spec()) return false;
    if (!request.is_made()) {
      judge_ = std::make_unique<SerialJudge>(check_, test_, responses_, *spec_, options_.classic);
      return true;
    }
    QuasiBasis basis{.spec = modelled_spec(check_)};
    if (const auto* observed = dynamic_cast<const ObservationSet*>(spec_.get())) {
      basis.runs = std::make_unique<NoMoreRuns>();
      basis.spec = executed_spec(check_, test_, *basis.runs, observed, responses_);
    }
    basis.orders = std::move(spec_);
    judge_quasi(std::move(basis), request);
    return true;
  }

  void judge_quasi(QuasiBasis basis, const QuasiRequest& request) {
    judge_ = std::make_unique<QuasiJudge>(check_, test_, responses_, std::move(basis), request.factors);
  }

  /// A model, or what the class is seen to do serially; false if that already decides.
  bool find_spec() {
    const std::uint64_t asynchronous =
        operations_that(check_, test_, [](const auto& operation) { return operation.asynchronous; });
    if (check_.modelled()) {
      spec_ = std::make_unique<ModelledSpec>(check_, test_, responses_, asynchronous);
    } else {
      auto observed = std::make_unique<ObservationSet>(test_, responses_, asynchronous, names_);
      if (!observe(*observed)) return false;
      spec_ = std::move(observed);
    }
    return true;
  }

  /// Phase 1 on real threads: a run for each serial order and each choice of what answers as declared.
  bool observe(ObservationSet& observed) {
    const auto start = SteadyClock::now();
    if (serial_orders(test_) > options_.most_serial_orders) {
      fail(
          "check {}: a test of {} has more serial orders than the {} that are run on real threads: use a smaller "
          "--size, or give the object a sequential model with .model<M>()",
          check_.name, dimension(test_), options_.most_serial_orders);
    }
    const auto operations = operations_of(test_);
    std::vector<StressPlan> plans;
    for (auto& order : all_serial_orders(check_, test_)) {
      // All choices of what answers as declared, nothing first: counted up like the digits of a number.
      std::vector<std::uint8_t> excuses(operations.size(), 0);
      for (bool more = true; more;) {
        plans.push_back({order, excuses});
        more = false;
        for (std::size_t i = 0; i < operations.size() && !more; ++i) {
          more = excuses[i] == 0 && !excuses_of(check_, test_, i).empty();
          excuses[i] = more;
        }
      }
    }
    const auto take = [&](const StressRun& run) {
      ++result_.serial_executions;
      to_history(run.lines, static_cast<unsigned>(test_.size()), names_, responses_, history_);
      if (run.kind == RunEnd::suspected) {
        result_.undecided =
            fmt::format("an operation did not return for {} s (--patience) in a serial run, and is not asleep",
                        static_cast<double>(options_.stress.patience.count()) / 1000);
        return false;
      }
      return remember(observed, run);
    };
    const auto crash = run(plans, take);
    result_.serial_full = observed.full();
    result_.serial_stuck = observed.stuck();
    result_.serial_seconds = seconds_since(start);
    if (crash) blame_crash(*crash);
    return !result_.failure && result_.undecided.empty() && !stopped_;
  }

  std::optional<StressCrash> run(const std::vector<StressPlan>& plans, const std::function<bool(StressRun)>& take) {
    const PlansEnd end = run_plans(check_, test_, plans, options_.stress, halt_, take);
    stopped_ |= end.stopped;
    return end.crash;
  }

  /// False if the class is nondeterministic.
  bool remember(ObservationSet& observed, const StressRun& run) {
    SerialHistory serial;
    serial.response.assign(test_.size(), absent);
    serial.stuck = run.kind == RunEnd::stuck;
    serial.excused = history_.excused;
    const Recorded named = names_.named(history_);
    for (unsigned i = 0; i < history_.mark_count; ++i) {
      const unsigned operation = history_.marks[i].operation;
      if (!history_.marks[i].is_return) serial.order.push_back(static_cast<std::uint8_t>(operation));
      serial.response[operation] = history_.marks[i].is_return ? named.response[operation] : pending;
      if (serial.excused >> operation & 1)
        serial.response[operation] = responses_.any_of(excuses_of(check_, test_, operation));
    }
    const std::optional<SerialHistory> other = observed.add(serial);
    if (!other) return true;
    result_.failure = failure_of(objection_to(FindingKind::nondeterministic, check_, test_, responses_, serial, *other),
                                 test_, responses_, named);
    result_.failure->serial = true;
    return false;
  }

  void run_concurrently() {
    const std::vector<StressPlan> plans(options_.runs);
    const auto take = [&](const StressRun& run) {
      ++result_.executions;
      look_at(run);
      return !result_.failure && result_.undecided.empty();
    };
    const auto crash = run(plans, take);
    if (crash && !result_.failure) blame_crash(*crash);
    result_.exhausted = false;
  }

  void look_at(const StressRun& run) {
    to_history(run.lines, static_cast<unsigned>(test_.size()), names_, responses_, history_);
    history_.stuck = run.kind != RunEnd::completed;
    history_.spinning = run.kind == RunEnd::suspected;
    if (!run.broken_invariant.empty()) {
      result_.failure = failure_of({.kind = FindingKind::invariant}, test_, responses_, names_.named(history_));
      result_.failure->note = run.broken_invariant;
      return;
    }
    if (history_.stuck && history_.waiting() == 0) {
      result_.undecided = "a run did not end, outside any operation: making or destroying the object takes for ever";
      return;
    }
    if (!seen_.insert(history_.key(responses_))) return;
    ++result_.histories;
    result_.stuck_histories += history_.stuck;
    Ruling ruling = judge_->judge(history_);
    result_.undecided = std::move(ruling.undecided);
    if (!ruling.objection) return;
    result_.failure = failure_of(std::move(*ruling.objection), test_, responses_, names_.named(history_));
    result_.failure->suspected = run.kind == RunEnd::suspected && (result_.failure->kind == FindingKind::stuck ||
                                                                   result_.failure->kind == FindingKind::no_progress);
  }

  void blame_crash(const StressCrash& crash) {
    Failure failure;
    failure.test = test_;
    failure.answers.resize(test_.size());
    failure.show(
        {.kind = crash.signal == SIGABRT ? IncidentKind::abort : IncidentKind::crash, .place = {}, .earlier = {}});
    failure.incident->signal = crash.signal;
    failure.incident->say(crash.signal != 0 ? strsignal(crash.signal)
                                            : fmt::format("the process ended with exit code {}", crash.code));
    result_.failure = std::move(failure);
  }

  const CheckDefinition& check_;
  const Test& test_;
  const StressCheckOptions& options_;
  Halt halt_;
  bool stopped_ = false;
  Responses responses_;
  const HandleNames names_{check_, test_, responses_};
  std::unique_ptr<SerialSpec> spec_;
  std::unique_ptr<HistoryJudge> judge_;
  Recorded history_;
  KeySet seen_;
  TestResult result_;
};

}  // namespace

std::vector<std::vector<std::uint8_t>> all_serial_orders(const CheckDefinition& check, const Test& test) {
  const auto operations = operations_of(test);
  const auto first = static_cast<std::uint8_t>(test.first.size());
  const auto end = static_cast<std::uint8_t>(operations.size() - test.last.size());
  std::vector<std::vector<std::uint8_t>> orders;
  std::vector<std::uint8_t> order;
  std::uint64_t placed = 0;
  const auto is_ready = [&](std::uint8_t operation) {
    for (std::uint8_t before = first; before < operation; ++before) {
      if (operations[before].column == operations[operation].column && !(placed >> before & 1) &&
          !definition_of(check, operations[before]).asynchronous)
        return false;
    }
    return true;
  };
  const std::function<void()> extend = [&] {
    if (order.size() == static_cast<std::size_t>(end - first)) return orders.push_back(order);
    for (std::uint8_t operation = first; operation < end; ++operation) {
      if (placed >> operation & 1 || !is_ready(operation)) continue;
      placed |= std::uint64_t{1} << operation;
      order.push_back(operation);
      extend();
      order.pop_back();
      placed &= ~(std::uint64_t{1} << operation);
    }
  };
  extend();
  return orders;
}

CheckRun stress_tests(const CheckDefinition& check, const TestSource& source, const StressCheckOptions& options) {
  const auto start = SteadyClock::now();
  CheckRun run;
  Halt halt(options.deadline, options.interrupted);
  std::uint64_t runs = 0;
  for (std::uint64_t number = 0; number < source.count; ++number) {
    run.complete = halt.order() == Halt::Order::go_on;
    if (!run.complete) break;
    TestResult result = StressTest(check, source.test(number), options).run();
    result.number = number;
    const bool failed = result.failure.has_value();
    run.complete = result.verdict != TestVerdict::undecided || result.limit != Limit::run;
    if (failed) run.failures.push_back(*result.failure);
    runs += result.executions;
    run.results.push_back(std::move(result));
    if (options.progress) options.progress({runs, number + 1, source.count, run.failures.size()});
    if (!run.complete || (failed && !options.keep_going)) break;
  }
  run.out_of_time = !run.complete && halt.is_late();
  run.seconds = seconds_since(start);
  return run;
}

}  // namespace muster
