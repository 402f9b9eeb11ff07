#include "harness/run/growth.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/terminal.hpp"
#include "rule/balanced_tests.hpp"

namespace muster {
namespace {

/// The rest of a test that is exhausted at one bound less.
Rest beyond(unsigned bound) {
  Rest rest;
  rest.begun = true;
  rest.bounds = {bound, 0};
  rest.some_bound_exhausted = true;
  rest.exhausted = {bound - 1, 0};
  rest.jobs.emplace_back();
  return rest;
}

bool has_failed(const CheckRun& run) {
  return std::ranges::any_of(run.results, [](const TestResult& result) { return result.failure.has_value(); });
}

class Growth {
 public:
  Growth(const CheckDefinition& check, const TestSource& source, const HarnessOptions& options,
         const CheckRunOptions& how, CheckRun run)
      : check_(check), source_(source), options_(options), how_(how) {
    how_.resume.clear();
    how_.progress = {};
    grown_.run = std::move(run);
    grown_.preemptions = options.strategy.preemptions;
  }

  Grown run() {
    const bool drawn = options_.matrices.empty() && check_.tests.empty() && !options_.automatic &&
                       options_.against.empty() && options_.shard.whole();
    for (unsigned round = 0; has_time(); ++round) {
      const bool deeper = go_deeper();
      if (drawn && has_time()) take_larger_tests(round);
      if (!deeper && !drawn) break;
    }
    if (others_ > 0)
      grown_.notes.push_back(fmt::format("Beyond that, in the time that was left: {} tests of other sizes, up to {}",
                                         with_commas(others_), largest_));
    return std::move(grown_);
  }

 private:
  bool has_time() const {
    return !over_ && !has_failed(grown_.run) &&
           Halt(how_.check.deadline, how_.interrupted).order() == Halt::Order::go_on;
  }

  /// False if there is nothing to go deeper into.
  bool go_deeper() {
    std::vector<std::uint64_t> open;
    for (const TestResult& result : grown_.run.results) {
      if (!result.all_schedules) open.push_back(result.number);
    }
    if (open.empty() || grown_.preemptions >= DepthFirstBounds::unbounded) return false;
    const unsigned bound = grown_.preemptions + 1;
    CheckRunOptions deeper = how_;
    deeper.check.strategy.kind = StrategyKind::depth_first;
    deeper.check.strategy.preemptions = bound;
    for (std::uint64_t i = 0; i < open.size(); ++i) deeper.resume[i].rest = beyond(bound);
    const TestSource tests{open.size(), [&](std::uint64_t i) { return source_.test(open[i]); }, source_.description};
    CheckRun run = run_tests(check_, tests, deeper);
    const bool complete = run.complete && std::ranges::all_of(run.results, [](const TestResult& result) {
                            return result.verdict == TestVerdict::passed;
                          });
    for (TestResult& result : run.results) {
      result.number = open[result.number];
      add(result);
    }
    take_failures(run);
    if (complete && !has_failed(grown_.run)) grown_.preemptions = bound;
    return true;
  }

  /// Longer columns, then more of them, then others of the same size.
  void take_larger_tests(unsigned round) {
    const auto [columns, rows] = options_.size.empty() ? default_size(check_) : parse_size(options_.size);
    const unsigned more_rows = round % 3 == 0 ? 1 : 0, more_columns = round % 3 == 1 ? 1 : 0;
    const TestSource larger = balanced_tests(check_, columns + more_columns, rows + more_rows, options_.tests,
                                             options_.strategy.seed + 1 + round);
    if (larger.count == 0 || has_too_many_orders(larger.test(0))) return;
    CheckRunOptions how = how_;
    how.check.strategy.preemptions = std::min(how.check.strategy.preemptions, 1u);
    CheckRun run = run_tests(check_, larger, how);
    for (TestResult& result : run.results) {
      others_ += result.verdict != TestVerdict::undecided;
      if (result.failure) {
        grown_.found_in = larger.description;
        result.number += source_.count;
        grown_.run.results.push_back(result);
      }
    }
    largest_ = fmt::format("{}×{}", columns + more_columns, rows + more_rows);
    take_failures(run);
  }

  bool has_too_many_orders(const Test& test) const {
    constexpr std::uint64_t most = 100'000;
    return !check_.modelled() && !check_.synchronisation && serial_orders(test) > most;
  }

  /// The results that count stay as they are, unless one fails now.
  void add(TestResult& result) {
    const auto known = std::ranges::find(grown_.run.results, result.number, &TestResult::number);
    known->Tally::add(result);
    known->races.insert(known->races.end(), result.races.begin(), result.races.end());
    if (result.verdict == TestVerdict::passed) known->all_schedules = result.all_schedules;
    if (!result.failure) return;
    known->failure = result.failure;
    known->verdict = TestVerdict::failed;
  }

  void take_failures(CheckRun& run) {
    for (Failure& failure : run.failures) grown_.run.failures.push_back(std::move(failure));
    grown_.run.seconds += run.seconds;
    over_ |= run.out_of_time;
  }

  const CheckDefinition& check_;
  const TestSource& source_;
  const HarnessOptions& options_;
  CheckRunOptions how_;
  Grown grown_;
  std::uint64_t others_ = 0;
  std::string largest_;
  bool over_ = false;
};

}  // namespace

Grown grow(const CheckDefinition& check, const TestSource& source, const HarnessOptions& options,
           const CheckRunOptions& how, CheckRun run) {
  return Growth(check, source, options, how, std::move(run)).run();
}

}  // namespace muster
