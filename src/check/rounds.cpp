#include "check/rounds.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "check/make_small.hpp"
#include "rule/quasi_judge.hpp"

namespace muster {
namespace {

constexpr std::uint64_t most_tests_in_rounds = 100'000;  // beyond that they are as good as without end
constexpr int all_bounds = 1 << 20;

class Rounds {
 public:
  Rounds(const CheckDefinition& check, const TestSource& source, const CheckRunOptions& options, const RunTests& run)
      : check_(check), source_(source), options_(options), run_(run), begun_(options.resume) {
    now_ = options;
    now_.is_one_of_several = true;
    if (options.keep_going) now_.minimise = 0;  // in the order of tests, at the end
  }

  CheckRun run() {
    const unsigned last = options_.check.strategy.preemptions;
    const int rounds = last >= DepthFirstBounds::unbounded ? 0 : static_cast<int>(last);
    for (int bound = -1; bound < rounds && !is_over(); ++bound) go_round(bound);
    if (!is_over()) {
      now_.is_one_of_several = false;
      go_round(all_bounds);
    }
    return finish();
  }

 private:
  /// Tests that have something to do up to this bound.
  std::vector<std::uint64_t> open_up_to(int bound) const {
    std::vector<std::uint64_t> open;
    for (std::uint64_t number = 0; number < source_.count; ++number) {
      if (done_.contains(number)) continue;
      const auto begun = begun_.find(number);
      const bool is_beyond = begun != begun_.end() && begun->second.rest && begun->second.rest->begun &&
                             static_cast<int>(begun->second.rest->bounds.preemptions) > bound;
      const bool has_drawn = bound < 0 && begun != begun_.end();
      if (!is_beyond && !has_drawn) open.push_back(number);
    }
    return open;
  }

  void go_round(int bound) {
    const std::vector<std::uint64_t> numbers = open_up_to(bound);
    if (numbers.empty()) return;
    const TestSource tests{numbers.size(), [&](std::uint64_t i) { return source_.test(numbers[i]); },
                           source_.description};
    now_.check.strategy.shares.last_bound = bound;
    now_.resume.clear();
    for (std::uint64_t i = 0; i < numbers.size(); ++i) {
      if (const auto begun = begun_.find(numbers[i]); begun != begun_.end()) now_.resume.emplace(i, begun->second);
    }
    if (options_.progress) {
      now_.progress = [&](TestProgress progress) {
        progress.round = bound < 0 ? "drawn executions" : bound == all_bounds ? "last bound" : "";
        if (progress.round.empty()) progress.round = "bound " + std::to_string(bound);
        options_.progress(progress);
      };
    }
    take(run_(tests, now_), numbers);
  }

  void take(CheckRun round, const std::vector<std::uint64_t>& numbers) {
    seconds_ += round.seconds;
    left_ = round.left;
    out_of_time_ |= round.out_of_time;
    for (Failure& failure : round.failures) failures_.push_back(std::move(failure));
    for (TestResult& result : round.results) {
      result.number = numbers[result.number];
      if (const auto before = begun_.find(result.number); before != begun_.end()) add_earlier(result, before->second);
      visited_[result.number] = true;
      const bool goes_on =
          result.verdict == TestVerdict::undecided && result.limit == Limit::run && result.rest.has_value();
      (goes_on ? begun_ : done_).insert_or_assign(result.number, result);
      failed_ |= result.failure.has_value();
    }
  }

  /// What the visit before has counted in phase 1, which is not made again. The rest is in the result already.
  void add_earlier(TestResult& result, const TestResult& before) {
    if (result.observed.empty() && result.rest) result.observed = before.observed;
    if (!visited_.contains(result.number)) return;  // by an earlier run, which made a phase 1 of its own
    result.serial_executions += before.serial_executions;
    result.serial_steps += before.serial_steps;
    result.serial_seconds += before.serial_seconds;
    result.seconds += before.seconds;
    if (result.serial_full + result.serial_stuck > 0) return;
    result.serial_full = before.serial_full;
    result.serial_stuck = before.serial_stuck;
    result.own_threads_bound = before.own_threads_bound;
  }

  bool is_over() const {
    return (failed_ && !options_.keep_going) ||
           Halt(options_.check.deadline, options_.interrupted).order() != Halt::Order::go_on;
  }

  CheckRun finish() {
    CheckRun run;
    for (const auto& [number, result] : done_) run.results.push_back(result);
    const bool fails = failed_ && !options_.keep_going;
    for (const auto& [number, result] : begun_) {
      if (!done_.contains(number) && visited_.contains(number)) run.results.push_back(result);
    }
    std::ranges::sort(run.results, {}, &TestResult::number);
    run.complete = fails || done_.size() == source_.count;
    run.out_of_time = out_of_time_ || (!run.complete && Halt(options_.check.deadline).is_late());
    run.failures = std::move(failures_);
    if (options_.keep_going) make_small_in_order(run);
    run.seconds = seconds_;
    run.left = left_;
    return run;
  }

  void make_small_in_order(CheckRun& run) {
    RuntimeOptions runtime = options_.runtime;
    runtime.outlive_faults = true;
    for (const TestResult& result : run.results) {
      if (run.failures.size() >= options_.minimise) break;
      if (result.failure) run.failures.push_back(make_small(check_, *result.failure, options_, runtime));
    }
  }

  const CheckDefinition& check_;
  const TestSource& source_;
  const CheckRunOptions& options_;
  const RunTests& run_;
  CheckRunOptions now_;  // of the round
  std::map<std::uint64_t, TestResult> begun_, done_;
  std::map<std::uint64_t, bool> visited_;  // by this run
  std::vector<Failure> failures_;
  double seconds_ = 0, left_ = 0;
  bool failed_ = false, out_of_time_ = false;
};

}  // namespace

PortfolioShares shares_of_each(const CheckDefinition& check, std::uint64_t tests) {
  PortfolioShares shares;
  shares.first = std::clamp<std::uint64_t>(shares.first * 25 / std::max<std::uint64_t>(tests, 1), 8, shares.first);
  shares.even = std::clamp<std::uint64_t>(shares.even * 10 / std::max<std::uint64_t>(tests, 1), 64, shares.even);
  shares.may_reduce = !check.synchronisation;
  return shares;
}

bool goes_in_rounds(const CheckDefinition& check, const TestSource& source, const CheckRunOptions& options) {
  const CheckOptions& how = options.check;
  return how.strategy.kind == StrategyKind::portfolio && source.count > 1 && source.count <= most_tests_in_rounds &&
         !how.tell_histories && !QuasiRequest(check, how.quasi, how.quasi_spec).is_made();
}

CheckRun run_in_rounds(const CheckDefinition& check, const TestSource& source, const CheckRunOptions& options,
                       const RunTests& run) {
  return Rounds(check, source, options, run).run();
}

}  // namespace muster
