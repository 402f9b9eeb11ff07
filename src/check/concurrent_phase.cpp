#include "check/concurrent_phase.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/halt.hpp"
#include "reduction/reduction_strategy.hpp"
#include "reduction/replay_strategy.hpp"
#include "schedule/turn_strategy.hpp"

namespace muster {
namespace {

using Find = SharedPass::Find;

// Others have to prepare first, by executing the test serially themselves.
constexpr std::uint64_t least_to_share = 1000;

/// What was found is confirmed by an execution, also beyond the end of a budget: a parent that looks on sees that.
class Confirming {
 public:
  explicit Confirming(bool& confirms) : confirms_(confirms) { confirms_ = true; }
  ~Confirming() { confirms_ = false; }
  Confirming(const Confirming&) = delete;
  Confirming& operator=(const Confirming&) = delete;

 private:
  bool& confirms_;
};

bool same_execution(std::span<const Decision> a, std::span<const Decision> b) {
  return a.size() == b.size() && !comes_before(a, b) && !comes_before(b, a);
}

}  // namespace

void take(TestResult& result, Recorder& recorder) {
  for (Failure& race : recorder.races) result.races.push_back(std::move(race));
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
  result.limit = Limit::run;
}

ConcurrentPhase::ConcurrentPhase(CheckBench& bench, const Program& program, ConcurrentRecorder& recorder,
                                 TestResult& result)
    : SubjectSearch(bench.pass,
                    {bench.engine, bench.slot, program, recorder, bench.options.strategy, bench.options.deadline,
                     bench.interruption, bench.shareable ? least_to_share + result.serial_executions : 0}),
      bench_(bench),
      recorder_(recorder),
      result_(result) {}

void ConcurrentPhase::run() {
  if (bench_.options.replay) return run_replay();
  if (is_random(bench_.options.strategy.kind)) return run_random();
  if (predicts() && bench_.options.predicted_only) {
    bench_.options.steering->record();  // so that operations are told as transactions
    follow_predictions();
    bench_.options.steering->end();
    return finish(bench_.options.strategy.preemptions);
  }
  run_passes();
}

void ConcurrentPhase::run_passes() {
  const unsigned most = bench_.options.strategy.preemptions;
  const bool unbounded = most >= DepthFirstBounds::unbounded;
  if (predicts() && unbounded && (!run_recorded_pass() || bench_.options.recorded_only)) return finish(most);
  search(bench_.resume);
  result_.exhausted = place_.slot.progress.done;
  result_.all_schedules = place_.slot.progress.all_schedules;
  result_.reduced = place_.slot.progress.reduced;
  finish(bounds().preemptions);
}

bool ConcurrentPhase::run_pass(DepthFirstBounds bounds) {
  const bool recorded = predicts() && bounds.preemptions == 0 && bounds.late_yields == 0;
  if (recorded) return run_recorded_pass() && !bench_.options.recorded_only;
  return SubjectSearch::run_pass(bounds);
}

bool ConcurrentPhase::run_part(RacySites& sites) {
  if (!help(bench_.subject, sites)) return false;
  finish(0);
  return true;
}

/// Of the attempt nothing is left but what it has counted.
void ConcurrentPhase::ends_reduced() {
  recorder_.forget_classes();
  result_.rest.reset();
}

/// What was found is shown by this worker, whoever found it.
bool ConcurrentPhase::ends_search() {
  bool is_shown = !pass_.is_reduced() || realise();
  if (!pass_.is_reduced() || (!recorder_.failure && recorder_.undecided.empty())) is_shown &= take_finds();
  if (!is_shown && !recorder_.failure) {
    if (!is_attempt()) search_plainly();
    return true;
  }
  const bool goes_on_after_failures = recorder_.tells_histories() && !pass_.is_reduced();
  return (recorder_.failure && !goes_on_after_failures) || !recorder_.undecided.empty();
}

void ConcurrentPhase::stopped() {
  if (pass_.out_of_time) out_of_time(result_);
  if (!bench_.resumable) return;
  Rest left = rest();
  if (left.begun) result_.rest = std::move(left);
}

void ConcurrentPhase::helped() {
  if (pass_.is_reduced())
    tell_reduced_find();
  else if (pass_.work().stopped() && !pass_.learned && bench_.resumable)
    result_.rest = rest();
  recorder_.failure.reset();
  recorder_.undecided.clear();
  first_failure_.reset();
  own_find_.reset();
}

/// It is made an execution here, and shown again by the worker that has the test.
void ConcurrentPhase::tell_reduced_find() {
  const auto at_end = place_.slot.journal.schedule.decisions();
  const std::vector<Decision> last(at_end.begin(), at_end.end());
  const bool is_shown = realise();
  if (recorder_.failure)
    pass_.found_at(recorder_.failure->schedule, Find::ends);
  else if (!is_shown || !recorder_.undecided.empty())
    pass_.found_at(last, Find::ends);
}

/// Between two jobs of this process: what ended one must not end the next, which may come before it. Where one failure
/// does not end the search, the first one is looked for all the same.
void ConcurrentPhase::after_job() {
  if (!recorder_.undecided.empty() || (recorder_.failure && !recorder_.tells_histories())) {
    const auto decisions = place_.slot.journal.schedule.decisions();
    if (!own_find_ || comes_before(decisions, own_find_->decisions))
      own_find_ = OwnFind{{decisions.begin(), decisions.end()}, recorder_.failure, recorder_.undecided};
    recorder_.take_failure();
    recorder_.undecided.clear();
    return;
  }
  if (!recorder_.failure || !bench_.shareable) return;
  auto failure = recorder_.take_failure();
  if (told_failure_) return;
  pass_.found_at(failure->schedule, Find::tells);
  if (!first_failure_ || comes_before(failure->schedule, first_failure_->schedule)) first_failure_ = std::move(failure);
}

/// What ended the pass, and what is to be told of it. False if a class that another process found failing has no
/// execution that shows it.
bool ConcurrentPhase::take_finds() {
  bool is_shown = true;
  if (pass_.found(Find::ends)) {
    const std::vector<Decision> found = pass_.first_found(Find::ends);
    if (own_find_ && same_execution(own_find_->decisions, found)) {
      recorder_.failure = std::move(own_find_->failure);
      recorder_.undecided = std::move(own_find_->undecided);
    } else {
      ConcurrentRecorder again = show_again(found);
      recorder_.failure = std::move(again.failure);
      recorder_.undecided = std::move(again.undecided);
      is_shown = recorder_.failure || !recorder_.undecided.empty();
    }
  } else if (found_by_drawing() && own_find_) {
    recorder_.failure = std::move(own_find_->failure);
  }
  if (!told_failure_ && pass_.found(Find::tells)) {
    const std::vector<Decision> found = pass_.first_found(Find::tells);
    if (!first_failure_ || !same_execution(first_failure_->schedule, found))
      first_failure_ = std::move(show_again(found).failure);
    told_failure_ = std::move(first_failure_);
  }
  return is_shown;
}

/// Another process found something: what it is, as this one sees it.
ConcurrentRecorder ConcurrentPhase::show_again(const std::vector<Decision>& decisions) {
  ConcurrentRecorder again = recorder_.fresh();
  place_.slot.journal.schedule.assign(decisions);
  DepthFirstStrategy plain(pass_.bounds(), DepthFirstStrategy::Start::with_schedule);
  TransitionCounter reduced(decisions);
  const bool is_reduced = !decisions.empty() && decisions.front().reduced;
  Strategy& strategy = is_reduced ? static_cast<Strategy&>(reduced) : plain;
  strategy.begin_execution(place_.slot.journal.schedule);
  const Confirming confirming(place_.slot.confirms);
  place_.slot.shows_again = true;  // if it ends this process, that is what it shows
  again.begin_execution();
  const Execution execution = bench_.engine.execute(place_.program, strategy, again.observer());
  again.end_execution(execution, place_.slot.journal.schedule, bench_.engine);
  place_.slot.shows_again = false;
  if (!again.failure && again.undecided.empty() && !pass_.is_reduced())
    again.undecided = "an execution that failed did not fail again";
  recorder_.races.insert(recorder_.races.end(), again.races.begin(), again.races.end());
  return again;
}

/// A failing history of a class is shown by an execution of its own, or it is no failure: then false.
bool ConcurrentPhase::realise() {
  if (!recorder_.failure || recorder_.turns.empty()) return true;
  const Confirming confirming(place_.slot.confirms);
  TransitionCounter counter(recorder_.failure->schedule);
  ConcurrentRecorder again = recorder_.fresh();
  counter.begin_execution(place_.slot.journal.schedule);
  again.begin_execution();
  bench_.engine.execute(place_.program, counter, again.observer());
  std::vector<TurnStrategy::Turn> turns;
  for (const auto& turn : recorder_.turns) turns.push_back({turn.thread, counter.events(turn.thread, turn.ordinal)});
  TurnStrategy strategy(std::move(turns), recorder_.failure->schedule);
  ConcurrentRecorder real = recorder_.fresh();
  strategy.begin_execution(place_.slot.journal.schedule);
  real.begin_execution();
  const Execution execution = bench_.engine.execute(place_.program, strategy, real.observer());
  real.end_execution(execution, place_.slot.journal.schedule, bench_.engine);
  recorder_.failure = std::move(real.failure);
  return recorder_.failure.has_value();
}

/// Judges the executions themselves, all of them, where reduction found a class failing that no execution showed.
/// Bounds grow until they leave nothing out, so that what fails does so with few preemptions.
void ConcurrentPhase::search_plainly() {
  recorder_.forget_classes();
  SearchProgress& progress = place_.slot.progress;
  DepthFirstBounds bounds{0, 0};
  for (;;) {
    made().cut_by_preemptions = made().cut_by_late_yields = false;
    SearchEnd end = SearchEnd::learned;
    while (end == SearchEnd::learned) {
      DepthFirstStrategy strategy(bounds);
      end = run_search(strategy);
    }
    if (end != SearchEnd::exhausted) return;
    if (!made().cut_by_preemptions && !made().cut_by_late_yields) break;
    bounds.preemptions += made().cut_by_preemptions;
    bounds.late_yields += made().cut_by_late_yields;
  }
  progress.all_schedules = made().held_back == 0;
  progress.done = true;
}

/// A sample of the schedules: whatever it does not show stays undecided.
void ConcurrentPhase::run_random() {
  const StrategyConfig& config = bench_.options.strategy;
  std::uint64_t drawn = 0;
  const auto strategy = make_random_strategy(config, [&]() -> std::optional<std::uint64_t> {
    return drawn < config.executions ? std::optional(drawn++) : std::nullopt;
  });
  bool more = true;
  while (more && drawn < config.executions) more = run_search(*strategy) == SearchEnd::learned;
  if (!recorder_.failure && recorder_.undecided.empty()) {
    result_.undecided = fmt::format("{} random executions", drawn);
    result_.limit = drawn == config.executions ? Limit::sample : Limit::run;
  }
  finish(bench_.options.strategy.preemptions);
}

/// One execution, as it was recorded.
void ConcurrentPhase::run_replay() {
  for (const std::uint32_t site : bench_.options.replay->racy_sites) place_.slot.racy_sites.insert(site);
  const unsigned set_ups = place_.slot.journal.set_ups;
  const auto replay = [&] {
    ReplayStrategy strategy(bench_.options.replay->schedule);
    return run_search(strategy);
  };
  SearchEnd end = replay();
  if (place_.slot.journal.set_ups > set_ups) end = replay();
  if (end == SearchEnd::learned) recorder_.undecided = "the execution met a race that was not known";
  finish(bench_.options.strategy.preemptions);
}

/// The pass without preemptions, which every search begins with. Each of its executions is recorded, and the orders
/// that it lets expect something of are tried at once. False if the search shall not go on.
bool ConcurrentPhase::run_recorded_pass() {
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
  SearchEnd end = SearchEnd::learned;
  while (end == SearchEnd::learned) end = pass();
  steering.end();
  return end == SearchEnd::exhausted;
}

/// False if something was found. What the predicted executions do not show, nor bring to an end, is left to the search,
/// which needs none of the points that made it possible to follow a plan.
bool ConcurrentPhase::follow_predictions() {
  Steering& steering = *bench_.options.steering;
  const std::size_t count = steering.predict();
  if (count == 0) return true;
  const auto decisions = place_.slot.journal.schedule.decisions();
  const std::vector<Decision> schedule(decisions.begin(), decisions.end());
  const RacySites racy_sites = place_.slot.racy_sites;
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
  place_.slot.racy_sites = racy_sites;
  place_.slot.journal.schedule.assign(schedule);
  return more;
}

/// One execution, again whenever it needs more points. False if no other shall follow.
bool ConcurrentPhase::run_again(Strategy& strategy) {
  constexpr unsigned most_attempts = 500;
  SearchEnd end = SearchEnd::learned;
  for (unsigned i = 0; end == SearchEnd::learned && i < most_attempts; ++i) {
    strategy.rewind();
    end = run_search(strategy);
  }
  return end == SearchEnd::exhausted || end == SearchEnd::learned;
}

/// With fewer executions than the strategy has, it ends as if out of time, and may be gone on with.
SearchEnd ConcurrentPhase::run_search(Strategy& strategy, std::uint64_t executions) {
  place_.slot.counters = {};
  const SearchEnd end =
      muster::search(bench_.engine, place_.slot.journal, place_.program, strategy, recorder_, place_.slot.counters,
                     {bench_.options.deadline, executions}, bench_.interruption);
  made().add(std::exchange(place_.slot.counters, {}));
  const bool all = executions == every_execution;
  if (end == SearchEnd::out_of_time && (all || std::chrono::steady_clock::now() > bench_.options.deadline))
    out_of_time(result_);
  return end;
}

void ConcurrentPhase::finish(unsigned bound) {
  if (told_failure_) recorder_.failure = std::move(told_failure_);
  take(result_, recorder_);
  // One that was drawn says nothing of bounds.
  if (result_.failure) result_.failure->bound = found_by_drawing() ? 0 : bound;
  take_counts(result_, made());
  result_.classes = recorder_.classes;
  recorder_.tell(result_);
  result_.leaves_out = recorder_.leaves_out;
  if (result_.leaves_out && result_.undecided.empty() && Halt(bench_.options.deadline).is_late()) {
    result_.exhausted = false;
    out_of_time(result_);
  }
  heed_what_is_left_out(result_);
}

}  // namespace muster
