#include "check/concurrent_phase.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/halt.hpp"
#include "check/confirming.hpp"
#include "reduction/reduction_strategy.hpp"
#include "reduction/replay_strategy.hpp"
#include "schedule/depth_first_strategy.hpp"
#include "schedule/turn_strategy.hpp"

namespace muster {
namespace {

using Find = SharedPass::Find;

// Others have to prepare first, by executing the test serially themselves.
constexpr std::uint64_t least_to_share = 1000;

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

ConcurrentPhase::ConcurrentPhase(CheckBench& bench, Columns& columns, ConcurrentRecorder& recorder, TestResult& result)
    : bench_(bench),
      columns_(columns),
      recorder_(recorder),
      result_(result),
      program_(columns.program()),
      worker_(bench.sharing.pass,
              {bench.engine,
               bench.journal,
               program_,
               recorder,
               {bench.options.deadline},
               bench.interruption,
               bench.sharing.counters,
               bench.sharing.shareable ? least_to_share + result.serial_executions : 0},
              [this] { look_at_job(); }) {}

void ConcurrentPhase::run() {
  if (bench_.options.replay) return run_replay();
  const StrategyKind kind = bench_.options.strategy.kind;
  if (kind == StrategyKind::reduction) return run_reduction();
  if (kind != StrategyKind::predict && kind != StrategyKind::depth_first) return run_random();
  if (kind == StrategyKind::predict && bench_.options.predicted_only) {
    bench_.options.steering->record();  // so that operations are told as transactions
    follow_predictions();
    bench_.options.steering->end();
    return finish(bench_.options.preemptions);
  }
  run_depth_first();
}

/// With growing bounds: the first failure has as few preemptions as any.
void ConcurrentPhase::run_depth_first() {
  const SearchRest* resumed = bench_.sharing.resume;
  if (resumed) take_over(*resumed);
  const unsigned most = bench_.options.preemptions;
  const bool unbounded = most >= DepthFirstBounds::unbounded;
  const bool predicts = bench_.options.strategy.kind == StrategyKind::predict;
  if (predicts && unbounded && (!run_recorded_pass() || bench_.options.recorded_only)) return finish(most);
  for (unsigned late = resumed ? resumed->late_yields : 0; late <= bench_.options.late_yields; ++late) {
    counters_.cut_by_preemptions = true;
    unsigned bound = late > 0 || unbounded ? most : 0;
    if (!resumed_.empty()) bound = resumed->preemptions;
    for (; bound <= most && counters_.cut_by_preemptions; ++bound) {
      const bool goes_on = !resumed_.empty();
      counters_.cut_by_preemptions = goes_on && resumed->cut_by_preemptions;
      counters_.cut_by_late_yields = goes_on && resumed->cut_by_late_yields;
      const bool recorded = predicts && bound == 0 && late == 0;
      if (!(recorded ? run_recorded_pass() : run_pass({bound, late}))) return finish(bound);
      if (recorded && bench_.options.recorded_only) return finish(bound);
    }
    if (counters_.cut_by_late_yields) continue;
    result_.all_schedules = !counters_.cut_by_preemptions && counters_.held_back == 0;
    break;
  }
  result_.exhausted = true;
  finish(bench_.options.preemptions);
}

/// False if the search shall not go on.
bool ConcurrentPhase::run_pass(DepthFirstBounds bounds) {
  SharedPass& pass = bench_.sharing.pass;
  for (;;) {
    pass.begin(bounds);
    worker_.run(std::exchange(resumed_, {}));
    counters_.add(worker_.settle());
    counters_.cut_by_preemptions |= pass.cut_by_preemptions;
    counters_.cut_by_late_yields |= pass.cut_by_late_yields;
    if (pass.learned) {  // the pass starts again, with more scheduling points
      worker_.take_rest();
      counters_.cut_by_preemptions = counters_.cut_by_late_yields = false;
      own_find_.reset();
      continue;
    }
    take_finds();
    if ((recorder_.failure && !recorder_.tells_histories()) || !recorder_.undecided.empty()) return false;
    if (!pass.board.stopped()) return true;
    if (pass.out_of_time) out_of_time(result_);
    keep_rest(bounds);
    return false;
  }
}

/// Between two jobs of this process: what ended one must not end the next, which may come before it. Where one failure
/// does not end the search, the first one is looked for all the same.
void ConcurrentPhase::look_at_job() {
  if (!recorder_.undecided.empty() || (recorder_.failure && !recorder_.tells_histories())) {
    const auto decisions = bench_.journal.schedule.decisions();
    if (!own_find_ || comes_before(decisions, own_find_->decisions))
      own_find_ = OwnFind{{decisions.begin(), decisions.end()}, recorder_.failure, recorder_.undecided};
    recorder_.take_failure();
    recorder_.undecided.clear();
    return;
  }
  if (!recorder_.failure || !bench_.sharing.shareable) return;
  auto failure = recorder_.take_failure();
  if (told_failure_) return;
  bench_.sharing.pass.found_at(failure->schedule, Find::tells);
  if (!first_failure_ || comes_before(failure->schedule, first_failure_->schedule)) first_failure_ = std::move(failure);
}

/// What ended the pass, and what is to be told of it.
void ConcurrentPhase::take_finds() {
  SharedPass& pass = bench_.sharing.pass;
  if (pass.found(Find::ends)) {
    const std::vector<Decision> found = pass.first_found(Find::ends);
    if (own_find_ && same_execution(own_find_->decisions, found)) {
      recorder_.failure = std::move(own_find_->failure);
      recorder_.undecided = std::move(own_find_->undecided);
    } else {
      ConcurrentRecorder again = show_again(found);
      recorder_.failure = std::move(again.failure);
      recorder_.undecided = std::move(again.undecided);
    }
  }
  if (!told_failure_ && pass.found(Find::tells)) {
    const std::vector<Decision> found = pass.first_found(Find::tells);
    if (!first_failure_ || !same_execution(first_failure_->schedule, found))
      first_failure_ = std::move(show_again(found).failure);
    told_failure_ = std::move(first_failure_);
  }
}

/// Another process found something: what it is, as this one sees it.
ConcurrentRecorder ConcurrentPhase::show_again(const std::vector<Decision>& decisions) {
  ConcurrentRecorder again = recorder_.fresh();
  bench_.journal.schedule.assign(decisions);
  DepthFirstStrategy plain(bench_.sharing.pass.bounds(), DepthFirstStrategy::Start::with_schedule);
  TransitionCounter reduced(decisions);
  const bool is_reduced = !decisions.empty() && decisions.front().reduced;
  Strategy& strategy = is_reduced ? static_cast<Strategy&>(reduced) : plain;
  strategy.begin_execution(bench_.journal.schedule);
  const Confirming confirming(bench_.sharing.confirms);
  bench_.sharing.shows_again = true;  // if it ends this process, that is what it shows
  again.begin_execution();
  const Execution execution = bench_.engine.execute(program_, strategy, again.observer());
  again.end_execution(execution, bench_.journal.schedule, bench_.engine);
  bench_.sharing.shows_again = false;
  if (!again.failure && again.undecided.empty()) again.undecided = "an execution that failed did not fail again";
  recorder_.races.insert(recorder_.races.end(), again.races.begin(), again.races.end());
  return again;
}

void ConcurrentPhase::keep_rest(DepthFirstBounds bounds) {
  if (!bench_.sharing.resumable) return;
  SearchRest rest;
  rest.preemptions = bounds.preemptions;
  rest.late_yields = bounds.late_yields;
  rest.cut_by_preemptions = counters_.cut_by_preemptions;
  rest.cut_by_late_yields = counters_.cut_by_late_yields;
  rest.jobs = worker_.take_rest();
  rest.tree = bench_.sharing.pass.is_reduced() ? bench_.sharing.pass.tree.save() : std::vector<std::string>();
  if (rest.jobs.empty() && rest.tree.empty() && bench_.sharing.pass.is_reduced()) return;
  bench_.racy_sites.for_each([&](std::uint32_t site) { rest.racy_sites.push_back(site); });
  rest.shared_stacks = bench_.racy_sites.shared_stacks();
  rest.outside_is_written = bench_.racy_sites.outside_is_written();
  rest.starts_late = bench_.racy_sites.starts_late();
  result_.rest = std::move(rest);
}

/// From where an earlier run stopped.
void ConcurrentPhase::take_over(const SearchRest& rest) {
  resumed_ = rest.jobs;
  resumed_tree_ = rest.tree;
  for (const std::uint32_t site : rest.racy_sites) bench_.racy_sites.insert(site);
  bench_.racy_sites.share_stacks(rest.shared_stacks);
  if (rest.outside_is_written) bench_.racy_sites.write_outside();
  if (rest.starts_late) bench_.racy_sites.start_late();
}

bool ConcurrentPhase::help(RacySites& sites) {
  SharedPass& pass = bench_.sharing.pass;
  bool helped = false;
  for (unsigned number = 0; (number = pass.join(bench_.sharing.subject, number)) != 0;) {
    if (!std::exchange(helped, true)) pass.count_helper();
    bench_.racy_sites = sites;
    if (pass.is_reduced())
      help_reduced();
    else
      worker_.help();
    counters_.add(worker_.settle());
    sites.add(bench_.racy_sites);
    if (pass.work().stopped() && !pass.learned && !pass.is_reduced())
      keep_rest(pass.bounds());
    else
      worker_.take_rest();
    recorder_.failure.reset();
    recorder_.undecided.clear();
    first_failure_.reset();
    own_find_.reset();
    pass.work().leave();
  }
  if (helped) finish(0);
  return helped;
}

ReductionConfig ConcurrentPhase::reduction_with(unsigned bound) const {
  ReductionConfig config = ReductionConfig::with_bound(bound);
  config.symmetry = bench_.options.strategy.symmetry;
  return config;
}

/// One execution of each class; with a bound, those classes that have an execution within it.
void ConcurrentPhase::run_reduction() {
  const unsigned most = bench_.options.preemptions;
  unsigned bound = most >= DepthFirstBounds::unbounded ? most : 0;
  const SearchRest* resumed = bench_.sharing.resume;
  if (resumed) {
    take_over(*resumed);
    bound = resumed->preemptions;
  }
  for (;; ++bound) {
    counters_.cut_by_preemptions = !resumed_tree_.empty() && resumed->cut_by_preemptions;
    if (!run_reduced_pass(bound)) return finish(bound);
    if (!counters_.cut_by_preemptions || bound >= most) break;
  }
  result_.exhausted = true;
  result_.all_schedules = !counters_.cut_by_preemptions;
  finish(bound);
}

/// False if the search shall not go on.
bool ConcurrentPhase::run_reduced_pass(unsigned bound) {
  SharedPass& pass = bench_.sharing.pass;
  for (;;) {
    ReductionStrategy strategy(reduction_with(bound), &pass.tree);
    recorder_.watch(strategy);
    pass.begin_reduced({bound, 0});
    worker_.run_reduced(strategy, std::exchange(resumed_tree_, {}));
    counters_.add(worker_.settle());
    if (!pass.learned) break;
    counters_.cut_by_preemptions = false;  // the pass starts again, with more scheduling points
  }
  counters_.cut_by_preemptions |= pass.cut_by_preemptions;
  realise();
  if (!recorder_.failure && recorder_.undecided.empty()) take_finds();
  if (pass.out_of_time) out_of_time(result_);
  if (recorder_.failure || !recorder_.undecided.empty()) return false;
  if (pass.tree.stopped()) keep_rest({bound, 0});
  return !pass.tree.stopped();
}

/// Part of a reduced pass. What is found is made an execution here, and shown again by the worker that has the test.
void ConcurrentPhase::help_reduced() {
  SharedPass& pass = bench_.sharing.pass;
  ReductionStrategy strategy(reduction_with(pass.bounds().preemptions), &pass.tree);
  recorder_.watch(strategy);
  worker_.help_reduced(strategy);
  const auto at_end = bench_.journal.schedule.decisions();
  const std::vector<Decision> last(at_end.begin(), at_end.end());
  realise();
  if (recorder_.failure)
    pass.found_at(recorder_.failure->schedule, Find::ends);
  else if (!recorder_.undecided.empty())
    pass.found_at(last, Find::ends);
}

/// A failing history of a class is shown by an execution of its own, or it is no failure.
void ConcurrentPhase::realise() {
  if (!recorder_.failure || recorder_.turns.empty()) return;
  const Confirming confirming(bench_.sharing.confirms);
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
  if (!recorder_.failure)
    recorder_.undecided = "a class of executions has a failing history, but no execution showed it";
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
  finish(bench_.options.preemptions);
}

/// One execution, as it was recorded.
void ConcurrentPhase::run_replay() {
  for (const std::uint32_t site : bench_.options.replay->racy_sites) bench_.racy_sites.insert(site);
  const unsigned set_ups = bench_.journal.set_ups;
  const auto replay = [&] {
    ReplayStrategy strategy(bench_.options.replay->schedule);
    return run_search(strategy);
  };
  SearchEnd end = replay();
  if (bench_.journal.set_ups > set_ups) end = replay();
  if (end == SearchEnd::learned) recorder_.undecided = "the execution met a race that was not known";
  finish(bench_.options.preemptions);
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
  const auto decisions = bench_.journal.schedule.decisions();
  const std::vector<Decision> schedule(decisions.begin(), decisions.end());
  const RacySites racy_sites = bench_.racy_sites;
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
  bench_.racy_sites = racy_sites;
  bench_.journal.schedule.assign(schedule);
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
  bench_.sharing.counters = {};
  const SearchEnd end = search(bench_.engine, bench_.journal, program_, strategy, recorder_, bench_.sharing.counters,
                               {bench_.options.deadline, executions}, bench_.interruption);
  counters_.add(bench_.sharing.counters);
  const bool all = executions == every_execution;
  if (end == SearchEnd::out_of_time && (all || std::chrono::steady_clock::now() > bench_.options.deadline))
    out_of_time(result_);
  return end;
}

void ConcurrentPhase::finish(unsigned bound) {
  if (told_failure_) recorder_.failure = std::move(told_failure_);
  take(result_, recorder_);
  if (result_.failure) result_.failure->bound = bound;
  take_counts(result_, counters_);
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
