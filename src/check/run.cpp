#include "check/run.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <string.h>

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "check/history_judge.hpp"
#include "check/minimise.hpp"
#include "check/observation_file.hpp"
#include "explore/shared_memory.hpp"
#include "explore/worker.hpp"

namespace muster {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr int tick_milliseconds = 200;
constexpr std::uint64_t none = ~std::uint64_t{0};

/// What all workers share.
struct Board {
  std::uint64_t next = 0;  // number of the next test
  std::uint64_t least_failing = none;
  std::uint64_t stopped = 0;
};

/// One worker's own part of the shared memory.
struct Seat {
  Journal journal;
  RacySites racy_sites;
  std::uint64_t current = none;  // the test it is at
};

std::uint64_t load(const std::uint64_t& value) { return __atomic_load_n(&value, __ATOMIC_RELAXED); }

void lower(std::uint64_t& value, std::uint64_t to) {
  std::uint64_t seen = load(value);
  while (to < seen && !__atomic_compare_exchange_n(&value, &seen, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

/// A test is given up once one before it failed.
class Overtaken final : public Interruption {
 public:
  Overtaken(const Board& board, const Seat& seat, bool keep_going)
      : board_(board), seat_(seat), keep_going_(keep_going) {}
  bool go_on(Strategy&, Schedule&) override {
    return !load(board_.stopped) &&
           (keep_going_ || seat_.current == none || load(board_.least_failing) >= seat_.current);
  }

 private:
  const Board& board_;
  const Seat& seat_;
  bool keep_going_;
};

class Patient final : public Interruption {};

class Run {
 public:
  Run(const CheckDefinition& check, const TestSource& source, const CheckRunOptions& options)
      : check_(check), source_(source), options_(options) {}

  CheckRun run() {
    const auto start = SteadyClock::now();
    board_ = make_shared_memory<Board>();
    const std::uint64_t jobs = std::max<std::uint64_t>(1, std::min<std::uint64_t>(options_.jobs, source_.count));
    for (std::uint64_t i = 0; i < jobs; ++i) {
      seats_.push_back(make_shared_memory<Seat>());
      start_worker(i);
    }
    supervise();
    workers_.clear();
    finish_results();
    for (const TestResult& result : run_.results) {
      if (!result.failure) continue;
      if (run_.failures.size() >= options_.minimise) break;
      run_.failures.push_back(make_small(*result.failure));
      if (!options_.keep_going) break;
    }
    run_.seconds = std::chrono::duration<double>(SteadyClock::now() - start).count();
    return std::move(run_);
  }

 private:
  // ---- in the worker ----

  void work(Seat& seat, Engine& engine, Channel& channel) {
    Overtaken overtaken(*board_, seat, options_.keep_going);
    CheckBench bench{engine, seat.journal, seat.racy_sites, check_, options_.check, overtaken};
    for (;;) {
      const std::uint64_t number = __atomic_fetch_add(&board_->next, 1, __ATOMIC_RELAXED);
      if (number >= source_.count || load(board_->stopped)) break;
      if (!options_.keep_going && number > load(board_->least_failing)) break;
      if (SteadyClock::now() > options_.check.deadline) break;
      seat.current = number;
      TestResult result = check_test(bench, source_.test(number));
      result.number = number;
      if (result.verdict == TestVerdict::failed) lower(board_->least_failing, number);
      channel.send(encode(result));
      seat.current = none;
    }
  }

  // ---- in the parent ----

  void start_worker(std::uint64_t i) {
    Seat& seat = *seats_[i];
    auto worker = std::make_unique<Worker>(seat.journal, seat.racy_sites, options_.runtime, true,
                                           [&](Engine& engine, Channel& channel) { work(seat, engine, channel); });
    if (i < workers_.size())
      workers_[i] = std::move(worker);
    else
      workers_.push_back(std::move(worker));
  }

  void supervise() {
    std::vector<bool> done(workers_.size(), false);
    while (std::find(done.begin(), done.end(), false) != done.end()) {
      std::vector<pollfd> fds;
      for (std::size_t i = 0; i < workers_.size(); ++i)
        fds.push_back({done[i] ? -1 : workers_[i]->channel().reader(), POLLIN, 0});
      poll(fds.data(), fds.size(), tick_milliseconds);
      for (std::size_t i = 0; i < workers_.size(); ++i) {
        if (done[i]) continue;
        const bool open = workers_[i]->channel().receive([&](std::span<const std::byte> message) { receive(message); });
        const bool hangs = open && workers_[i]->hangs(options_.hang_seconds);
        if (open && !hangs) continue;
        if (hangs) workers_[i]->kill();
        const int signal = workers_[i]->join();
        done[i] = !hangs && signal == 0;
        if (!done[i]) after_death(i, signal, hangs);
      }
      if (options_.interrupted && options_.interrupted()) board_->stopped = 1;
      if (options_.progress) options_.progress(progress());
    }
  }

  void receive(std::span<const std::byte> message) {
    if (!message.empty() && static_cast<char>(message[0]) == '!')
      throw Error(std::string(reinterpret_cast<const char*>(message.data()) + 1, message.size() - 1));
    run_.results.push_back(decode_result(message));
  }

  /// The test that ended its worker has its result now; another worker goes on with the rest.
  void after_death(std::size_t i, int signal, bool hangs) {
    Seat& seat = *seats_[i];
    if (seat.current == none) fail("a worker process was ended by signal {} outside any test", signal);
    TestResult result;
    result.number = seat.current;
    if (!hangs && Arena::under_a_stack(seat.journal.fault_address)) {
      result.undecided = fmt::format("a thread needs more than the {} KB of its stack", Arena::stack_size >> 10);
    } else if (hangs || seat.journal.escaped_call >= 0) {
      result.undecided = hangs ? "an execution makes no step: a loop without a scheduling point, or a hang"
                               : fmt::format("system call {} sleeps in the kernel and was caught by no interposer",
                                             seat.journal.escaped_call);
    } else {
      result.verdict = TestVerdict::failed;
      Failure crash;
      crash.kind = FailureKind::incident;
      crash.test = source_.test(seat.current);
      crash.answers.resize(crash.test.size());
      const auto decisions = seat.journal.schedule.decisions();
      crash.schedule.assign(decisions.begin(), decisions.end());
      seat.racy_sites.for_each([&](std::uint32_t site) { crash.racy_sites.push_back(site); });
      crash.incident = Incident{.kind = signal == SIGABRT ? IncidentKind::abort : IncidentKind::crash,
                                .place = {seat.journal.fault_site, seat.journal.running, EventKind::start},
                                .earlier = {}};
      crash.incident->signal = signal;
      crash.incident->address = seat.journal.fault_address;
      crash.incident->say(strsignal(signal));
      result.failure = std::move(crash);
      lower(board_->least_failing, seat.current);
    }
    run_.results.push_back(std::move(result));
    seat.current = none;
    seat.journal.in_execution = false;
    seat.journal.escaped_call = -1;
    start_worker(i);
  }

  TestProgress progress() const {
    TestProgress now{.done = run_.results.size(), .count = source_.count};
    for (const auto& seat : seats_) now.executions += __atomic_load_n(&seat->journal.executions, __ATOMIC_RELAXED);
    for (const TestResult& result : run_.results) {
      now.executions += result.executions + result.serial_executions;
      now.histories += result.histories;
      now.failing += result.failure.has_value();
    }
    return now;
  }

  void finish_results() {
    std::sort(run_.results.begin(), run_.results.end(),
              [](const TestResult& a, const TestResult& b) { return a.number < b.number; });
    // With several workers, tests after the reported one may have been run, or not: the result must not depend on that.
    if (!options_.keep_going)
      std::erase_if(run_.results, [&](const TestResult& result) { return result.number > board_->least_failing; });
    run_.complete = board_->least_failing != none || run_.results.size() == source_.count;
  }

  /// In a worker of its own: what a smaller test does to its process must not lose the failure.
  Failure make_small(Failure failure) {
    auto seat = make_shared_memory<Seat>();
    CheckOptions check = options_.check;
    // That a test fails was predicted; that smaller ones do not is shown by searching.
    if (check.strategy.kind == StrategyKind::predict) check.strategy.kind = StrategyKind::depth_first;
    check.deadline = SteadyClock::now() + std::chrono::milliseconds(static_cast<long>(
                                              options_.minimise_seconds * 1000));  // also after the budget is spent
    Worker worker(seat->journal, seat->racy_sites, options_.runtime, true, [&](Engine& engine, Channel& channel) {
      Patient patient;
      CheckBench bench{engine, seat->journal, seat->racy_sites, check_, check, patient};
      const auto tell = [&](const Failure& smaller) {
        TestResult result;
        result.failure = smaller;
        channel.send(encode(result));
      };
      tell(minimise(bench, failure, tell));
    });
    for (;;) {
      pollfd fd{worker.channel().reader(), POLLIN, 0};
      poll(&fd, 1, tick_milliseconds);
      const bool open = worker.channel().receive([&](std::span<const std::byte> message) {
        if (static_cast<char>(message[0]) != '!') failure = *decode_result(message).failure;
      });
      if (!open) break;
      if (worker.hangs(options_.hang_seconds) || (options_.interrupted && options_.interrupted())) {
        worker.kill();
        break;
      }
    }
    worker.join();
    return failure;
  }

  const CheckDefinition& check_;
  const TestSource& source_;
  const CheckRunOptions& options_;
  Shared<Board> board_;
  std::vector<Shared<Seat>> seats_;
  std::vector<std::unique_ptr<Worker>> workers_;
  CheckRun run_;
};

}  // namespace

namespace {

/// Observes a test in a worker, and gives back what `tell` makes of it there.
template <class Tell>
std::string observe_in_worker(const CheckDefinition& check, const Test& test, const CheckRunOptions& options,
                              const Tell& tell) {
  auto seat = make_shared_memory<Seat>();
  Worker worker(seat->journal, seat->racy_sites, options.runtime, true, [&](Engine& engine, Channel& channel) {
    Patient patient;
    CheckBench bench{engine, seat->journal, seat->racy_sites, check, options.check, patient};
    Responses responses;
    TestResult result;
    const auto observed = observe(bench, test, responses, result);
    if (!observed) {
      fail("check {}: the test '{}' cannot be recorded: {}", check.name, to_text(check, test),
           result.failure             ? std::string(name(result.failure->kind))
           : result.undecided.empty() ? "not exhausted"
                                      : result.undecided);
    }
    const std::string text = "x" + tell(*observed, responses);
    channel.send(std::as_bytes(std::span(text)));
  });
  std::string text;
  for (bool open = true; open;) {
    pollfd fd{worker.channel().reader(), POLLIN, 0};
    poll(&fd, 1, tick_milliseconds);
    open = worker.channel().receive([&](std::span<const std::byte> message) {
      text.assign(reinterpret_cast<const char*>(message.data()), message.size());
    });
  }
  if (const int signal = worker.join(); signal != 0)
    fail("check {}: a serial execution of '{}' was ended by signal {}", check.name, to_text(check, test), signal);
  if (text.starts_with("!")) throw Error(text.substr(1));
  return text.substr(1);
}

}  // namespace

std::string observe_test(const CheckDefinition& check, const Test& test, const CheckRunOptions& options) {
  return observe_in_worker(check, test, options, [&](const ObservationSet& observed, const Responses& responses) {
    return write_observations(check, test, observed, responses);
  });
}

std::vector<SerialRun> serial_runs_of(const CheckDefinition& check, const Test& test, const CheckRunOptions& options) {
  const std::string bytes =
      observe_in_worker(check, test, options, [](const ObservationSet& observed, const Responses& responses) {
        TestResult result;
        Failure& carrier = result.failure.emplace();
        for (const SerialHistory& serial : observed.histories())
          carrier.serial_runs.push_back(to_run(serial, responses));
        const auto encoded = encode(result);
        return std::string(reinterpret_cast<const char*>(encoded.data()), encoded.size());
      });
  return decode_result(std::as_bytes(std::span(bytes))).failure->serial_runs;
}

CheckRun run_tests(const CheckDefinition& check, const TestSource& source, const CheckRunOptions& options) {
  return Run(check, source, options).run();
}

}  // namespace muster
