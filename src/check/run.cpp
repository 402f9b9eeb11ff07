#include "check/run.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "check/estimate_tests.hpp"
#include "check/make_small.hpp"
#include "check/rounds.hpp"
#include "rule/history_judge.hpp"
#include "search/campaign.hpp"
#include "search/death.hpp"
#include "search/estimate.hpp"

namespace muster {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Of messages with a part in a test, and with what was found in one that goes on.
constexpr char part_letter = 'p', found_letter = 'f';

class Run final : public Subjects {
 public:
  Run(const CheckDefinition& check, const TestSource& source, const CheckRunOptions& options)
      : check_(check), source_(source), options_(options), how_(options), campaign_(*this, how_) {
    how_.runtime.outlive_faults = true;  // then a crash is told like any other failure, and made small
  }

  CheckRun run() {
    campaign_.run();
    finish_results();
    run_.out_of_time = was_stopped() && campaign_.halt().is_late();
    if (ended_early() && (!options_.is_one_of_several || campaign_.halt().order() != Halt::Order::go_on))
      run_.left = left_of(made_so_far());
    for (const TestResult& result : run_.results) {
      if (!result.failure) continue;
      if (run_.failures.size() >= options_.minimise) break;
      run_.failures.push_back(make_small(check_, *result.failure, options_, how_.runtime));
      if (!options_.keep_going) break;
    }
    run_.seconds = std::chrono::duration<double>(SteadyClock::now() - started_).count();
    return std::move(run_);
  }

 private:
  // ---- in a worker ----

  std::uint64_t count() const override { return source_.count; }

  bool search(const Assignment& assigned) override {
    CheckBench bench = bench_for(assigned);
    if (const auto begun = options_.resume.find(assigned.number); begun != options_.resume.end()) {
      bench.resume = &*begun->second.rest;
      bench.observed = &begun->second.observed;
    }
    TestResult result = check_test(bench, source_.test(assigned.number));
    const bool failed = result.verdict == TestVerdict::failed;
    send(assigned, std::move(result), result_letter);
    return failed;
  }

  void help(const Assignment& assigned) override {
    CheckBench bench = bench_for(assigned);
    bench.resumable = !options_.check.tell_histories;
    if (auto part = help_test(bench, source_.test(assigned.number), assigned.owner.racy_sites))
      send(assigned, std::move(*part), part_letter);
  }

  CheckBench bench_for(const Assignment& assigned) const {
    const auto found = [assigned](const Failure& failure) {
      TestResult so_far;
      so_far.number = assigned.number;
      if (is_race(failure))
        so_far.races.push_back(failure);
      else
        so_far.failure = failure;
      assigned.channel.send(encode(so_far, found_letter));
    };
    return {.engine = assigned.engine,
            .slot = assigned.slot,
            .pass = assigned.owner.pass,
            .check = check_,
            .options = options_.check,
            .interruption = assigned.interruption,
            .subject = assigned.subject,
            .shareable = assigned.shareable,
            .found = found};
  }

  static void send(const Assignment& assigned, TestResult result, char letter) {
    result.number = assigned.number;
    result.attempt = assigned.attempt;
    result.worker = assigned.worker;
    assigned.channel.send(encode(result, letter));
  }

  // ---- in the parent ----

  void message(std::span<const std::byte> message) override {
    TestResult result = decode_result(message);
    switch (static_cast<char>(message[0])) {
      case part_letter:
        return parts_.push_back(std::move(result));
      case found_letter:
        if (result.failure) lower(campaign_.board().least_failing, result.number);
        return found_.push_back(std::move(result));
      default:
        run_.results.push_back(std::move(result));
    }
  }

  void killed(WorkerSlot& slot) override {
    if (slot.current == WorkerSlot::none || has_result(slot.current)) return;
    TestResult result;
    result.number = slot.current;
    take_counts(result, slot.counters);
    result.executions = slot.journal.executions;  // serial ones, too
    result.limit = Limit::run;
    run_.results.push_back(std::move(result));
  }

  bool has_result(std::uint64_t number) const {
    return std::ranges::any_of(run_.results, [=](const TestResult& result) { return result.number == number; });
  }

  /// The test that ended its worker has its result now; another worker goes on with the rest.
  AfterDeath died(WorkerSlot& slot, const ProcessEnd& end) override {
    if (slot.pass.helpers() > 0 && !slot.shows_again) return AfterDeath::again;
    TestResult result;
    result.number = slot.current;
    const Incident death = incident_of(end, slot.journal, options_.hang_seconds);
    if (!is_finding(death.kind)) {
      result.undecided = death.message;
    } else if (!slot.journal.in_execution) {
      result.undecided = fmt::format("{} outside any execution: in a model, or in what compares or shows values",
                                     strsignal(end.signal));
    } else {
      result.verdict = TestVerdict::failed;
      result.failure = failure_by(death, slot);
      result.executions = result.failure->serial ? 0 : slot.counters.executions + 1;
      lower(campaign_.board().least_failing, slot.current);
    }
    run_.results.push_back(std::move(result));
    return AfterDeath::settled;
  }

  /// What ended the helper is the finding of the worker that has the test, unless something comes before it.
  AfterDeath helper_died(WorkerSlot& helper, WorkerSlot& owner, const ProcessEnd&) override {
    owner.pass.found_at(helper.journal.schedule.decisions(), SharedPass::Find::ends);
    return AfterDeath::settled;
  }

  /// A crash where the process could not go on: nothing is known but what it wrote down before.
  Failure failure_by(const Incident& death, const WorkerSlot& slot) const {
    Failure crash;
    crash.test = source_.test(slot.current);
    crash.answers.resize(crash.test.size());
    crash.serial = slot.journal.serial;
    const auto decisions = slot.journal.schedule.decisions();
    crash.schedule.assign(decisions.begin(), decisions.end());
    crash.preemptions = count_preemptions(decisions);
    crash.bound = crash.preemptions;
    slot.racy_sites.for_each([&](std::uint32_t site) { crash.racy_sites.push_back(site); });
    Incident shown = death;
    if (death.signal == SIGABRT) shown.kind = IncidentKind::abort;
    crash.show(shown);
    return crash;
  }

  void tick() override {
    if (options_.progress) options_.progress(progress());
  }

  Tally made_so_far() const {
    Tally made;
    for (const TestResult& result : run_.results) made.add(result);
    for (const auto& slot : campaign_.slots()) {
      if (slot->current != WorkerSlot::none || slot->host != WorkerSlot::none) made.add(slot->counters);
    }
    return made;
  }

  /// Executions are drawn once somebody asks: for tests that end at once that is not worth it.
  double left_of(const Tally& made) {
    if (!estimated_)
      estimated_ = estimate_tests(check_, source_, options_, campaign_.halt().time_for(patience_with_estimates));
    const bool reduced = options_.check.strategy.kind == StrategyKind::reduction;
    const double estimated = estimated_->concurrent > 0 ? estimated_->serial + estimated_->concurrent : 0;
    const std::uint64_t all = made.executions + made.serial_executions;
    return executions_left(estimated, reduced ? all - made.ended_early() : all, all,
                           (tests_done() + campaign_.share_begun()) / static_cast<double>(source_.count));
  }

  /// Of tests that were given up, as much as was made.
  double tests_done() const {
    double done = 0;
    for (const TestResult& result : run_.results) done += unfinished(result) ? result.share_done : 1;
    return done;
  }

  static bool unfinished(const TestResult& result) {
    return result.verdict == TestVerdict::undecided && result.limit != Limit::none;
  }

  std::uint64_t least_failing() const { return campaign_.board().least_failing; }

  /// By the deadline, or by somebody.
  bool was_stopped() const {
    if (!options_.keep_going && least_failing() != WorkerSlot::none) return false;
    const auto stopped = [](const TestResult& result) { return unfinished(result) && result.limit == Limit::run; };
    return run_.results.size() < source_.count || std::any_of(run_.results.begin(), run_.results.end(), stopped);
  }

  /// Not by what was found.
  bool ended_early() const {
    return least_failing() == WorkerSlot::none &&
           (run_.results.size() < source_.count || std::any_of(run_.results.begin(), run_.results.end(), unfinished));
  }

  TestProgress progress() {
    TestProgress now;
    now.done = run_.results.size();
    now.count = source_.count;
    now.left = left_of(made_so_far());
    for (const auto& slot : campaign_.slots()) {  // what it did in tests that ended is in their results
      const bool works = slot->current != WorkerSlot::none || slot->host != WorkerSlot::none;
      if (works) now.executions += __atomic_load_n(&slot->journal.executions, __ATOMIC_RELAXED);
    }
    now.begun = campaign_.share_begun();
    for (const TestResult& result : run_.results) {
      now.executions += result.executions + result.serial_executions;
      now.histories += result.histories;
      now.failing += result.failure.has_value();
    }
    return now;
  }

  /// Parts in tests that others did belong to their results.
  void add_parts() {
    for (TestResult& result : run_.results) {
      unsigned found = 0;
      for (const TestResult& part : parts_) {
        if (part.number != result.number || part.attempt != result.attempt || part.worker != result.worker) continue;
        add_part(result, part);
        ++found;
      }
      if (found < result.helpers && result.verdict == TestVerdict::passed) {
        result.verdict = TestVerdict::undecided;
        result.undecided = "a worker process was lost";
      }
      if (const auto before = options_.resume.find(result.number); before != options_.resume.end()) {
        TestResult done = before->second;
        done.rest.reset();  // what was left then is what this run did, or has left
        add_part(result, done);
      }
    }
  }

  /// What a worker had found that has told nothing else of the test any more.
  void add_what_was_found() {
    for (TestResult& result : run_.results) {
      for (const TestResult& found : found_) {
        if (found.number != result.number) continue;
        result.races.insert(result.races.end(), found.races.begin(), found.races.end());
        if (!found.failure || result.verdict != TestVerdict::undecided) continue;
        result.verdict = TestVerdict::failed;
        result.failure = found.failure;
      }
    }
  }

  void finish_results() {
    add_parts();
    add_what_was_found();
    std::sort(run_.results.begin(), run_.results.end(),
              [](const TestResult& a, const TestResult& b) { return a.number < b.number; });
    // With several workers, tests after the reported one may have been run, or not: the result must not depend on that.
    if (!options_.keep_going)
      std::erase_if(run_.results, [&](const TestResult& result) { return result.number > least_failing(); });
    run_.complete = least_failing() != WorkerSlot::none || run_.results.size() == source_.count;
  }

  const CheckDefinition& check_;
  const TestSource& source_;
  const CheckRunOptions& options_;
  CampaignOptions how_;
  Campaign campaign_;
  const SteadyClock::time_point started_ = SteadyClock::now();
  std::vector<TestResult> parts_, found_;
  std::optional<TestsEstimate> estimated_;
  CheckRun run_;
};

}  // namespace

CheckRun run_tests(const CheckDefinition& check, const TestSource& source, const CheckRunOptions& options) {
  const auto run = [&](const TestSource& tests, const CheckRunOptions& how) { return Run(check, tests, how).run(); };
  return goes_in_rounds(check, source, options) ? run_in_rounds(check, source, options, run) : run(source, options);
}

}  // namespace muster
