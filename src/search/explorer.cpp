#include "search/explorer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/shared_memory.hpp"
#include "reduction/reduction_strategy.hpp"
#include "schedule/depth_first_strategy.hpp"
#include "search/estimate.hpp"
#include "search/pass.hpp"
#include "search/supervisor.hpp"

namespace muster {
namespace {

using Clock = Halt::Clock;

class Explorer {
 public:
  Explorer(const Program& program, const StrategyConfig& strategy, const MakeTask& make_task, Collector& collector,
           RacySites& racy_sites, const ExploreOptions& options)
      : program_(program),
        strategy_(strategy),
        make_task_(make_task),
        collector_(collector),
        racy_sites_(racy_sites),
        options_(options),
        halt_(options.deadline, options.interrupted) {}

  Coverage run() {
    started_ = Clock::now();
    coverage_.unbounded = strategy_.preemptions >= DepthFirstBounds::unbounded;
    for (unsigned i = 0; i < std::max(1u, options_.jobs); ++i) seats_.push_back(make_shared_memory<Seat>());
    if (!options_.resume.empty()) take_over(options_.resume);
    if (strategy_.kind == StrategyKind::reduction) {
      run_reduction();
    } else if (strategy_.kind == StrategyKind::depth_first) {
      run_depth_first();
    } else {
      coverage_.sampled = run_pass({});
    }
    update_time();
    coverage_.out_of_time = pass_->out_of_time;
    if (!coverage_.exhausted && !coverage_.sampled && !pass_->stopped) coverage_.left = left_of(coverage_.counters);
    return coverage_;
  }

 private:
  /// Bounds grow: first without late yields, then with them; a bound that left nothing out makes larger ones needless.
  void run_depth_first() {
    const Checkpoint& resume = options_.resume;
    for (unsigned late = resume.empty() ? 0 : resume.bounds.late_yields; late <= strategy_.late_yields; ++late) {
      bool cut_by_preemptions = true;
      bool cut_by_late_yields = false;
      for (unsigned bound = jobs_.empty() ? first_bound(late) : resume.bounds.preemptions; cut_by_preemptions;
           ++bound) {
        if (bound > strategy_.preemptions) break;
        if (jobs_.empty()) coverage_.counters.cut_by_preemptions = coverage_.counters.cut_by_late_yields = false;
        if (!run_pass({bound, late})) return;
        cut_by_preemptions = coverage_.counters.cut_by_preemptions;
        cut_by_late_yields = coverage_.counters.cut_by_late_yields;
        coverage_.preemptions = bound;
        coverage_.late_yields = late;
        coverage_.some_bound_exhausted = true;
      }
      if (!cut_by_late_yields) {
        coverage_.all_schedules = !cut_by_preemptions && coverage_.counters.held_back == 0;
        break;
      }
    }
    coverage_.exhausted = true;
  }

  /// Without a bound once; with one, bounds grow until one leaves nothing out.
  void run_reduction() {
    unsigned bound = strategy_.preemptions >= DepthFirstBounds::unbounded ? strategy_.preemptions : 0;
    if (!tree_.empty()) bound = options_.resume.bounds.preemptions;
    for (; bound <= strategy_.preemptions; ++bound) {
      if (tree_.empty()) coverage_.counters.cut_by_preemptions = false;
      if (!run_pass({bound, 0})) return;
      coverage_.preemptions = bound;
      coverage_.some_bound_exhausted = true;
      if (!coverage_.counters.cut_by_preemptions) break;
    }
    coverage_.exhausted = true;
    coverage_.all_schedules = !coverage_.counters.cut_by_preemptions;
  }

  void take_over(const Checkpoint& from) {
    jobs_ = from.jobs;
    tree_ = from.tree;
    coverage_.counters = from.counters;
    coverage_.some_bound_exhausted = from.some_bound_exhausted;
    coverage_.preemptions = from.exhausted_preemptions;
    coverage_.late_yields = from.exhausted_late_yields;
  }

  /// What the workers of a pass that was stopped have left: the jobs on the board, and those they gave up between two
  /// executions.
  void keep_rest(DepthFirstBounds bounds) {
    Checkpoint& rest = coverage_.rest;
    rest.counters = coverage_.counters;
    if (strategy_.kind == StrategyKind::reduction) {
      rest.bounds = bounds;
      rest.some_bound_exhausted = coverage_.some_bound_exhausted;
      rest.exhausted_preemptions = coverage_.preemptions;
      if (!pass_->stopped) rest.tree = pass_->tree.save();
      return;
    }
    if (strategy_.kind != StrategyKind::depth_first) {
      rest.next_number = std::min(pass_->next_number, strategy_.executions);
      return;
    }
    rest.bounds = bounds;
    rest.some_bound_exhausted = coverage_.some_bound_exhausted;
    rest.exhausted_preemptions = coverage_.preemptions;
    rest.exhausted_late_yields = coverage_.late_yields;
    rest.jobs = std::move(jobs_);
    for (auto& job : pass_->board.remaining()) rest.jobs.push_back(std::move(job));
    for (auto& seat : seats_) {
      if (!seat->unfinished && !seat->has_job) continue;
      if (seat->journal.in_execution) {  // it was killed there
        rest.jobs.push_back(job_under_way(seat->journal.schedule));
        continue;
      }
      DepthFirstStrategy next(bounds, DepthFirstStrategy::Start::after_schedule);
      if (next.begin_execution(seat->journal.schedule)) {
        const auto decisions = seat->journal.schedule.decisions();
        rest.jobs.emplace_back(decisions.begin(), decisions.end());
      }
      coverage_.counters.cut_by_preemptions |= next.left_out().preemptions;
      coverage_.counters.cut_by_late_yields |= next.left_out().late_yields;
    }
    rest.counters = coverage_.counters;
  }

  /// Puts as many jobs of a resumed search on the board as have room there.
  void hand_out_jobs() {
    if (jobs_.empty()) return;
    pass_->board.take_all();
    while (!jobs_.empty() && pass_->board.post(jobs_.back())) jobs_.pop_back();
    if (pass_->board.remaining().empty())
      fail("an execution of the checkpoint has more than {} decisions: it cannot be resumed", JobBoard::longest_job);
  }

  /// Without a bound there is nothing to iterate; late yields are added at the last bound only: lower ones were seen
  /// without.
  unsigned first_bound(unsigned late) const {
    if (strategy_.preemptions >= DepthFirstBounds::unbounded) return strategy_.preemptions;
    return late == 0 ? 0 : strategy_.preemptions;
  }

  /// True if the pass was exhausted. Begins anew whenever a race makes further accesses scheduling points.
  bool run_pass(DepthFirstBounds bounds) {
    for (;;) {
      ++coverage_.passes;
      coverage_.under_way = bounds;
      pass_ = make_shared_memory<Pass>();
      const auto workers = static_cast<unsigned>(seats_.size());
      if (strategy_.kind == StrategyKind::reduction)
        start_tree(workers);
      else
        pass_->board.start(workers);
      pass_->next_number = options_.resume.next_number;
      hand_out_jobs();
      for (auto& seat : seats_) {
        seat->counters = {};
        seat->has_job = seat->warmed_up = seat->unfinished = false;
        seat->set_ups = seat->journal.set_ups;
      }
      const bool finished = run_workers(bounds);
      for (auto& seat : seats_) coverage_.counters.add(seat->counters);
      note_set_ups();
      if (!finished || pass_->out_of_time || pass_->stopped) {
        keep_rest(bounds);
        return false;
      }
      tree_.clear();
      if (pass_->learned)
        jobs_.clear();  // the tree is another one now
      else if (jobs_.empty())
        return true;
    }
  }

  /// Workers of the next pass are new processes, in which libraries have yet to set themselves up.
  void note_set_ups() {
    for (auto& seat : seats_) {
      if (seat->journal.set_ups == seat->set_ups) continue;
      const auto decisions = seat->journal.schedule.decisions();
      set_ups_.emplace_back(decisions.begin(), decisions.end());
    }
  }

  void start_tree(unsigned workers) {
    pass_->tree.start(workers);
    if (!tree_.empty()) pass_->tree.load(tree_);
  }

  std::unique_ptr<Worker> make_worker(std::size_t i, DepthFirstBounds bounds) {
    Seat& seat = *seats_[i];
    return std::make_unique<Worker>(
        seat.journal, racy_sites_, options_.runtime, true,
        [&, bounds](Engine& engine, Channel& channel) { work(seat, bounds, engine, channel); });
  }

  // ---- in the worker ----

  void work(Seat& seat, DepthFirstBounds bounds, Engine& engine, Channel& channel) {
    const bool resumed = seat.has_job;
    std::vector<Decision> interrupted_at(seat.journal.schedule.decisions().begin(),
                                         seat.journal.schedule.decisions().end());
    if (!std::exchange(seat.warmed_up, true)) {
      warm_up(engine, seat.journal, program_);
      for (const auto& schedule : set_ups_) warm_up(engine, seat.journal, program_, schedule);
    }
    seat.journal.schedule.assign(interrupted_at);
    auto task = make_task_(channel, coverage_.counters.executions + seat.counters.executions);
    Sharing sharing(*pass_);
    if (strategy_.kind == StrategyKind::depth_first) {
      if (resumed) {
        DepthFirstStrategy strategy(bounds, DepthFirstStrategy::Start::after_schedule);
        run_job(seat, engine, strategy, *task, sharing);
      }
      while (auto job = pass_->board.take()) {
        seat.has_job = true;
        seat.journal.schedule.assign(*job);
        DepthFirstStrategy strategy(
            bounds, job->empty() ? DepthFirstStrategy::Start::at_root : DepthFirstStrategy::Start::with_schedule);
        run_job(seat, engine, strategy, *task, sharing);
      }
    } else if (strategy_.kind == StrategyKind::reduction) {
      ReductionStrategy strategy(ReductionConfig::with_bound(bounds.preemptions), &pass_->tree);
      while (auto job = pass_->tree.take()) {
        seat.has_job = true;
        strategy.begin_job(std::move(*job));
        run_job(seat, engine, strategy, *task, sharing);
        if (seat.unfinished && !(strategy.can_pause() && strategy.give_up_job(seat.journal.schedule)))
          pass_->tree.lose();
      }
    } else {
      const auto strategy = make_random_strategy();
      run_job(seat, engine, *strategy, *task, sharing);
    }
    task->end_search();
  }

  void run_job(Seat& seat, Engine& engine, Strategy& strategy, Task& task, Sharing& sharing) {
    const SearchEnd end =
        search(engine, seat.journal, program_, strategy, task, seat.counters, {options_.deadline}, sharing);
    switch (end) {
      case SearchEnd::exhausted:
        break;
      case SearchEnd::stopped:
        if (!pass_->board.stopped()) pass_->stopped = true;
        break;
      case SearchEnd::out_of_time:
        pass_->out_of_time = true;
        break;
      case SearchEnd::learned:
        pass_->learned = true;
        break;
    }
    if (pass_->stopped || pass_->out_of_time || pass_->learned) pass_->stop();
    seat.unfinished = end != SearchEnd::exhausted;
    seat.has_job = false;
    if (strategy_.kind == StrategyKind::reduction)
      pass_->tree.done();
    else
      pass_->board.done();
  }

  std::unique_ptr<Strategy> make_random_strategy() {
    NextNumber next = [this]() -> std::optional<std::uint64_t> {
      const std::uint64_t number = __atomic_fetch_add(&pass_->next_number, 1, __ATOMIC_RELAXED);
      return number < strategy_.executions ? std::optional(number) : std::nullopt;
    };
    return muster::make_random_strategy(strategy_, next);
  }

  // ---- in the parent ----

  /// Until all workers are done. False if the search was stopped from here.
  bool run_workers(DepthFirstBounds bounds) {
    bool go_on = true;
    auto last_tick = Clock::now();
    Supervisor* all = nullptr;
    Supervisor workers(halt_, options_.hang_seconds,
                       {.message = [&](std::span<const std::byte> message) { collector_.message(message); },
                        .ended =
                            [&](std::size_t i, WorkerEnd end) {
                              if (!end.died()) return;
                              if (!may_go_on_after(*seats_[i], end))
                                go_on = false;
                              else if (halt_.order() == Halt::Order::go_on)
                                all->start(i, make_worker(i, bounds));
                            },
                        .ordered =
                            [&](Halt::Order order) {
                              go_on = false;
                              pass_->out_of_time |= halt_.is_late();
                              pass_->stop();
                              if (order == Halt::Order::kill) kill_workers(*all);
                            },
                        .tick =
                            [&] {
                              if (Clock::now() - last_tick <= std::chrono::milliseconds(Supervisor::tick_milliseconds))
                                return;
                              last_tick = Clock::now();
                              tell_progress();
                            }});
    all = &workers;
    for (std::size_t i = 0; i < seats_.size(); ++i) workers.start(i, make_worker(i, bounds));
    workers.watch();
    return go_on;
  }

  /// Those that are in the middle of an execution, which is still to be made. What they knew of a reduced tree is lost.
  void kill_workers(Supervisor& workers) {
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      if (!workers.is_at_work(i)) continue;
      workers.kill(i);
      pass_->tree.lose();
    }
  }

  /// False if what its worker died of ends the search.
  bool may_go_on_after(Seat& seat, WorkerEnd end) {
    if (!seat.journal.in_execution) fail("a worker process was ended by signal {} outside any execution", end.signal);
    seat.journal.in_execution = false;
    ++seat.counters.executions;
    const bool stop = collector_.died(seat.journal, end.hung ? 0 : end.signal,
                                      coverage_.counters.executions + seat.counters.executions);
    // What a reduced search knew of its branch is lost with the process: others would wait for it.
    if (!stop && strategy_.kind != StrategyKind::reduction) return true;
    pass_->stopped = true;
    pass_->stop();
    return false;
  }

  void update_time() { coverage_.seconds = std::chrono::duration<double>(Clock::now() - started_).count(); }

  /// Executions are drawn once somebody asks: for searches that end at once that is not worth it.
  double left_of(const Counters& made) {
    if (!estimated_)
      estimated_ = estimate_executions(program_, strategy_, racy_sites_, options_.runtime,
                                       halt_.time_for(patience_with_estimates));
    const std::uint64_t ended_early = strategy_.kind == StrategyKind::reduction ? made.abandoned + made.cut : 0;
    return executions_left(*estimated_, made.executions - ended_early, made.executions, share_done());
  }

  double share_done() const {
    double share = 0;
    for (const auto& seat : seats_) share = std::max(share, seat->counters.share_done);
    return share;
  }

  void tell_progress() {
    if (!options_.progress) return;
    Coverage now = coverage_;
    for (auto& seat : seats_) now.counters.add(seat->counters);
    now.counters.share_done = share_done();
    now.left = left_of(now.counters);
    now.seconds = std::chrono::duration<double>(Clock::now() - started_).count();
    options_.progress(now);
  }

  const Program& program_;
  const StrategyConfig& strategy_;
  const MakeTask& make_task_;
  Collector& collector_;
  RacySites& racy_sites_;
  const ExploreOptions& options_;
  Halt halt_;
  Clock::time_point started_;
  Shared<Pass> pass_;
  std::vector<Shared<Seat>> seats_;
  std::vector<std::vector<Decision>> jobs_;     // of a resumed search, not yet handed out
  std::vector<std::string> tree_;               // of a resumed search that is reduced
  std::vector<std::vector<Decision>> set_ups_;  // schedules along which libraries set themselves up
  std::optional<double> estimated_;
  Coverage coverage_;
};

}  // namespace

const char* name(StrategyKind kind) {
  constexpr const char* names[] = {"dfs", "random", "pct", "pos", "dpor", "predict"};
  return names[static_cast<unsigned>(kind)];
}

std::unique_ptr<Strategy> make_random_strategy(const StrategyConfig& config, const NextNumber& next) {
  switch (config.kind) {
    case StrategyKind::pct:
      return std::make_unique<PctStrategy>(config.seed, next, config.depth);
    case StrategyKind::pos:
      return std::make_unique<PosStrategy>(config.seed, next);
    default:
      return std::make_unique<RandomWalkStrategy>(config.seed, next);
  }
}

Coverage explore(const Program& program, const StrategyConfig& strategy, const MakeTask& make_task,
                 Collector& collector, RacySites& racy_sites, const ExploreOptions& options) {
  return Explorer(program, strategy, make_task, collector, racy_sites, options).run();
}

}  // namespace muster
