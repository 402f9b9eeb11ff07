#include "check/run_worker.hpp"

namespace muster {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// A test is given up once one before it failed.
class Overtaken final : public Interruption {
 public:
  Overtaken(const RunBoard& board, const RunSeat& seat, bool keep_going)
      : board_(board), seat_(seat), keep_going_(keep_going) {}
  bool go_on(Strategy&, Schedule&) override {
    return !load(board_.stopped) && (keep_going_ || load(board_.least_failing) >= seat_.current);
  }

 private:
  const RunBoard& board_;
  const RunSeat& seat_;
  bool keep_going_;
};

/// Help is wanted as long as the test is searched.
class Wanted final : public Interruption {
 public:
  Wanted(const RunBoard& board, const SharedPass& pass, std::uint64_t subject)
      : board_(board), pass_(pass), subject_(subject) {}
  bool go_on(Strategy&, Schedule&) override { return !load(board_.stopped) && pass_.subject() == subject_; }

 private:
  const RunBoard& board_;
  const SharedPass& pass_;
  std::uint64_t subject_;
};

// A test that is done once more is another subject: who prepared to help with the first attempt must not join it.
constexpr std::uint64_t most_tests = (std::uint64_t{1} << 40) - 1;
std::uint64_t subject_of(std::uint64_t test, unsigned attempt) { return std::uint64_t{attempt} << 40 | test; }

}  // namespace

void lower(std::uint64_t& value, std::uint64_t to) {
  std::uint64_t seen = load(value);
  while (to < seen && !__atomic_compare_exchange_n(&value, &seen, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

void RunWorker::run(Engine& engine, Channel& channel) {
  if (const std::uint64_t again = std::exchange(seat_.again, RunSeat::none); again != RunSeat::none)
    run_test(again, true, engine, channel);
  while (!is_spoilt(engine)) {
    const std::uint64_t number = next_test();
    if (number == RunSeat::none) break;
    run_test(number, false, engine, channel);
  }
  while (!is_spoilt(engine) && help_somebody(engine, channel)) {
  }
}

bool RunWorker::is_spoilt(const Engine& engine) { return seat_.spoilt = engine.outlived_crash(); }

std::uint64_t RunWorker::next_test() {
  if (load(board_.stopped) || SteadyClock::now() > options_.check.deadline) return RunSeat::none;
  const std::uint64_t number = __atomic_fetch_add(&board_.next, 1, __ATOMIC_RELAXED);
  if (number >= source_.count) return RunSeat::none;
  return options_.keep_going || number <= load(board_.least_failing) ? number : RunSeat::none;
}

void RunWorker::run_test(std::uint64_t number, bool alone, Engine& engine, Channel& channel) {
  __atomic_store_n(&seat_.current, number, __ATOMIC_RELEASE);
  Overtaken overtaken(board_, seat_, options_.keep_going);
  TestSharing sharing = seat_.sharing();
  ++seat_.attempt;
  sharing.subject = subject_of(number, seat_.attempt);
  sharing.shareable = !alone && seats_.size() > 1;
  if (const auto rest = options_.resume.find(number); rest != options_.resume.end())
    sharing.resume = &*rest->second.rest;
  CheckBench bench{engine,         seat_.journal, seat_.racy_sites, check_,
                   options_.check, overtaken,     sharing,          found_in(number, channel)};
  TestResult result = check_test(bench, source_.test(number));
  result.number = number;
  result.attempt = seat_.attempt;
  result.worker = number_;
  if (result.verdict == TestVerdict::failed) lower(board_.least_failing, number);
  channel.send(encode(result, result_letter));
  __atomic_store_n(&seat_.current, RunSeat::none, __ATOMIC_RELEASE);
}

std::function<void(const Failure&)> RunWorker::found_in(std::uint64_t test, Channel& channel) {
  return [test, &channel](const Failure& failure) {
    TestResult so_far;
    so_far.number = test;
    if (is_race(failure))
      so_far.races.push_back(failure);
    else
      so_far.failure = failure;
    channel.send(encode(so_far, found_letter));
  };
}

/// False once nobody is at a test any more.
bool RunWorker::help_somebody(Engine& engine, Channel& channel) {
  if (load(board_.stopped)) return false;
  bool somebody_works = false;
  for (std::uint64_t i = 0; i < seats_.size(); ++i) {
    if (i == number_ || __atomic_load_n(&seats_[i]->current, __ATOMIC_ACQUIRE) == RunSeat::none) continue;
    somebody_works = true;
    const std::uint64_t subject = seats_[i]->pass.subject();
    if (subject == SharedPass::nothing || !seats_[i]->pass.inviting()) continue;
    help(i, subject, engine, channel);
    return true;
  }
  for (int i = 0; somebody_works && i < 20; ++i) short_sleep();
  return somebody_works;
}

void RunWorker::help(std::uint64_t host, std::uint64_t subject, Engine& engine, Channel& channel) {
  RunSeat& other = *seats_[host];
  seat_.host = host;
  const std::uint64_t number = subject & most_tests;
  Wanted wanted(board_, other.pass, subject);
  TestSharing sharing{
      .pass = other.pass, .counters = seat_.counters, .shows_again = seat_.shows_again, .confirms = seat_.confirms};
  sharing.subject = subject;
  sharing.shareable = true;
  sharing.resumable = !options_.check.tell_histories;
  CheckBench bench{engine,         seat_.journal, seat_.racy_sites, check_,
                   options_.check, wanted,        sharing,          found_in(number, channel)};
  if (auto part = help_test(bench, source_.test(number), other.racy_sites)) {
    part->number = number;
    part->attempt = static_cast<unsigned>(subject >> 40);
    part->worker = host;
    channel.send(encode(*part, part_letter));
  }
  seat_.host = RunSeat::none;
}

}  // namespace muster
