#include "check/run.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "base/shared_memory.hpp"
#include "check/estimate_tests.hpp"
#include "check/make_small.hpp"
#include "check/run_worker.hpp"
#include "rule/history_judge.hpp"
#include "search/death.hpp"
#include "search/estimate.hpp"
#include "search/supervisor.hpp"

namespace muster {
namespace {

using SteadyClock = std::chrono::steady_clock;

using Seat = RunSeat;
constexpr std::uint64_t none = Seat::none;

class Run {
 public:
  Run(const CheckDefinition& check, const TestSource& source, const CheckRunOptions& options)
      : check_(check),
        source_(source),
        options_(options),
        runtime_(options.runtime),
        halt_(options.check.deadline, options.interrupted),
        workers_(halt_, options.hang_seconds, duties()) {
    runtime_.outlive_faults = true;  // then a crash is told like any other failure, and made small
  }

  CheckRun run() {
    const auto start = started_ = SteadyClock::now();
    board_ = make_shared_memory<RunBoard>();
    for (std::uint64_t i = 0; i < std::max(1u, options_.jobs); ++i) seats_.push_back(make_shared_memory<Seat>());
    for (std::uint64_t i = 0; i < seats_.size(); ++i) start_worker(i);
    workers_.watch();
    finish_results();
    run_.out_of_time = was_stopped() && halt_.is_late();
    if (ended_early()) run_.left = left_of(made_so_far());
    for (const TestResult& result : run_.results) {
      if (!result.failure) continue;
      if (run_.failures.size() >= options_.minimise) break;
      run_.failures.push_back(make_small(check_, *result.failure, options_, runtime_));
      if (!options_.keep_going) break;
    }
    run_.seconds = std::chrono::duration<double>(SteadyClock::now() - start).count();
    return std::move(run_);
  }

 private:
  void start_worker(std::uint64_t i) {
    Seat& seat = *seats_[i];
    workers_.start(i, std::make_unique<Worker>(
                          seat.journal, seat.racy_sites, runtime_, true, [&, i](Engine& engine, Channel& channel) {
                            RunWorker(check_, source_, options_, *board_, seats_, i).run(engine, channel);
                          }));
  }

  Duties duties() {
    return {.message = [this](std::span<const std::byte> message) { receive(message); },
            .ended =
                [this](std::size_t i, WorkerEnd end) {
                  if (end.died())
                    after_death(i, end);
                  else if (seats_[i]->spoilt)
                    restart_worker(i);
                },
            .ordered =
                [this](Halt::Order order) {
                  board_->stopped = 1;
                  if (order == Halt::Order::kill) kill_workers();
                },
            .tick =
                [this] {
                  if (options_.progress) options_.progress(progress());
                }};
  }

  /// Those that have not stopped by themselves, but for one that confirms what it has found.
  void kill_workers() {
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      const Seat& seat = *seats_[i];
      if (!workers_.is_at_work(i) || seat.confirms) continue;
      workers_.kill(i);
      if (seat.current != none && !has_result(seat.current)) run_.results.push_back(given_up(seat));
    }
  }

  bool has_result(std::uint64_t number) const {
    return std::ranges::any_of(run_.results, [=](const TestResult& result) { return result.number == number; });
  }

  static TestResult given_up(const Seat& seat) {
    TestResult result;
    result.number = seat.current;
    take_counts(result, seat.counters);
    result.executions = seat.journal.executions;  // serial ones, too
    result.limit = Limit::run;
    return result;
  }

  void receive(std::span<const std::byte> message) {
    TestResult result = decode_result(message);
    switch (static_cast<char>(message[0])) {
      case part_letter:
        return parts_.push_back(std::move(result));
      case found_letter:
        if (result.failure) lower(board_->least_failing, result.number);
        return found_.push_back(std::move(result));
      default:
        run_.results.push_back(std::move(result));
    }
  }

  /// The test that ended its worker has its result now; another worker goes on with the rest.
  void after_death(std::size_t i, WorkerEnd end) {
    Seat& seat = *seats_[i];
    if (seat.host != none && seat.journal.in_execution && seat.current == none) return after_helpers_death(i);
    if (seat.current == none) fail("a worker process was ended by signal {} outside any test", end.signal);
    if (seat.pass.helpers() > 0 && !seat.shows_again) return do_again(i);
    TestResult result;
    result.number = seat.current;
    const Incident death =
        end.hung ? incident_of_hang(seat.journal, options_.hang_seconds) : incident_of_death(seat.journal, end.signal);
    if (!is_finding(death.kind)) {
      result.undecided = death.message;
    } else if (!seat.journal.in_execution) {
      result.undecided = fmt::format("{} outside any execution: in a model, or in what compares or shows values",
                                     strsignal(end.signal));
    } else {
      result.verdict = TestVerdict::failed;
      result.failure = failure_by(death, seat);
      result.executions = result.failure->serial ? 0 : seat.counters.executions + 1;
      lower(board_->least_failing, seat.current);
    }
    run_.results.push_back(std::move(result));
    seat.current = none;
    restart_worker(i);
  }

  /// A crash where the process could not go on: nothing is known but what it wrote down before.
  Failure failure_by(const Incident& death, const Seat& seat) const {
    Failure crash;
    crash.kind = FailureKind::incident;
    crash.test = source_.test(seat.current);
    crash.answers.resize(crash.test.size());
    crash.serial = seat.journal.serial;
    const auto decisions = seat.journal.schedule.decisions();
    crash.schedule.assign(decisions.begin(), decisions.end());
    crash.preemptions = count_preemptions(decisions);
    crash.bound = crash.preemptions;
    seat.racy_sites.for_each([&](std::uint32_t site) { crash.racy_sites.push_back(site); });
    crash.incident = death;
    if (death.signal == SIGABRT) crash.incident->kind = IncidentKind::abort;
    return crash;
  }

  /// What ended the helper is the finding of the worker that has the test, unless something comes before it.
  void after_helpers_death(std::size_t i) {
    SharedPass& pass = seats_[seats_[i]->host]->pass;
    pass.found_at(seats_[i]->journal.schedule.decisions(), SharedPass::Find::ends);
    if (pass.is_reduced()) pass.tree.stop();  // what it knew of its branch, others wait for
    pass.work().done();
    pass.work().leave();
    seats_[i]->host = none;
    restart_worker(i);
  }

  /// What the others have done of this test, and whether something comes before what ended its worker, is known to
  /// nobody any more. They begin anew too: none of them may meddle with the test once more.
  void do_again(std::size_t i) {
    seats_[i]->pass.work().shut();  // who has joined until now says whom it helps
    std::vector<std::size_t> helpers;
    for (std::size_t other = 0; other < seats_.size(); ++other) {
      if (other == i || seats_[other]->host != i) continue;
      workers_.kill(other);
      seats_[other]->host = none;
      helpers.push_back(other);
    }
    std::destroy_at(&seats_[i]->pass);  // one of them may have held its lock
    std::construct_at(&seats_[i]->pass);
    seats_[i]->again = seats_[i]->current;
    seats_[i]->current = none;
    restart_worker(i);
    for (const std::size_t helper : helpers) restart_worker(helper);
  }

  void restart_worker(std::size_t i) {
    Seat& seat = *seats_[i];
    seat.pass.set_subject(none);
    seat.shows_again = seat.journal.in_execution = false;
    seat.journal.escaped_call = -1;
    start_worker(i);
  }

  struct Made {
    std::uint64_t executions = 0, complete = 0;
  };
  Made made_so_far() const {
    Made made;
    for (const TestResult& result : run_.results) {
      made.executions += result.executions + result.serial_executions;
      made.complete += result.executions + result.serial_executions - result.abandoned - result.cut;
    }
    for (const auto& seat : seats_) {
      if (seat->current == none && seat->host == none) continue;
      made.executions += seat->counters.executions;
      made.complete += seat->counters.executions - seat->counters.abandoned - seat->counters.cut;
    }
    return made;
  }

  /// Executions are drawn once somebody asks: for tests that end at once that is not worth it.
  double left_of(const Made& made) {
    if (!estimated_) estimated_ = estimate_tests(check_, source_, options_, halt_.time_for(patience_with_estimates));
    const bool reduced = options_.check.strategy.kind == StrategyKind::reduction;
    const double estimated = estimated_->concurrent > 0 ? estimated_->serial + estimated_->concurrent : 0;
    return executions_left(estimated, reduced ? made.complete : made.executions, made.executions,
                           (tests_done() + tests_begun()) / static_cast<double>(source_.count));
  }

  /// Of tests that were given up, as much as was made.
  double tests_done() const {
    double done = 0;
    for (const TestResult& result : run_.results) done += unfinished(result) ? result.share_done : 1;
    return done;
  }

  /// How much was made of the tests under way, added up.
  double tests_begun() const {
    double begun = 0;
    for (const auto& seat : seats_) {
      if (seat->current == none) continue;
      double share = seat->counters.share_done;
      for (const auto& other : seats_) {
        if (other->host != none && seats_[other->host].get() == seat.get())
          share = std::max(share, other->counters.share_done);
      }
      begun += share;
    }
    return begun;
  }

  static bool unfinished(const TestResult& result) {
    return result.verdict == TestVerdict::undecided && result.limit != Limit::none;
  }

  /// By the deadline, or by somebody.
  bool was_stopped() const {
    if (!options_.keep_going && board_->least_failing != none) return false;
    const auto stopped = [](const TestResult& result) { return unfinished(result) && result.limit == Limit::run; };
    return run_.results.size() < source_.count || std::any_of(run_.results.begin(), run_.results.end(), stopped);
  }

  /// Not by what was found.
  bool ended_early() const {
    return board_->least_failing == none &&
           (run_.results.size() < source_.count || std::any_of(run_.results.begin(), run_.results.end(), unfinished));
  }

  TestProgress progress() {
    TestProgress now{.done = run_.results.size(), .count = source_.count};
    if (SteadyClock::now() - started_ > std::chrono::milliseconds(Supervisor::tick_milliseconds))
      now.left = left_of(made_so_far());
    for (const auto& seat : seats_) {  // what it did in tests that ended is in their results
      const bool works = seat->current != none || seat->host != none;
      if (works) now.executions += __atomic_load_n(&seat->journal.executions, __ATOMIC_RELAXED);
    }
    now.begun = tests_begun();
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
      std::erase_if(run_.results, [&](const TestResult& result) { return result.number > board_->least_failing; });
    run_.complete = board_->least_failing != none || run_.results.size() == source_.count;
  }

  const CheckDefinition& check_;
  const TestSource& source_;
  const CheckRunOptions& options_;
  RuntimeOptions runtime_;
  Shared<RunBoard> board_;
  std::vector<Shared<Seat>> seats_;
  std::vector<TestResult> parts_, found_;
  Halt halt_;
  Supervisor workers_;
  SteadyClock::time_point started_;
  std::optional<TestsEstimate> estimated_;
  CheckRun run_;
};

}  // namespace

CheckRun run_tests(const CheckDefinition& check, const TestSource& source, const CheckRunOptions& options) {
  return Run(check, source, options).run();
}

}  // namespace muster
