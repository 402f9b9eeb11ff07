#include "search/program_search.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "search/death.hpp"
#include "search/estimate.hpp"
#include "search/rest_text.hpp"
#include "search/subject_search.hpp"

namespace muster {
namespace {

using Clock = Halt::Clock;

class ProgramSearch final : public Subjects {
 public:
  ProgramSearch(const Program& program, const StrategyConfig& strategy, const MakeTask& make_task, Collector& collector,
                RacySites& racy_sites, const ExploreOptions& options)
      : program_(program),
        strategy_(strategy),
        make_task_(make_task),
        collector_(collector),
        racy_sites_(racy_sites),
        options_(options),
        campaign_(*this, options) {
    if (!options.resume.rest.begun) return;
    rest_ = options.resume.rest;
    static_cast<Tally&>(made_) = options.resume.made;
  }

  /// What a process that dies leaves is gone on with like any other rest.
  Coverage run() {
    do {
      someone_died_ = false;
      campaign_.run();
    } while (someone_died_ && !ended_by_find_ && goes_on());
    Coverage coverage = covered();
    const bool done = coverage.exhausted || coverage.sampled;
    coverage.out_of_time =
        !done && (owner().pass.out_of_time || (campaign_.board().stopped != 0 && campaign_.halt().is_late()));
    if (done || ended_by_find_ || owner().pass.found_what_ends_it) return coverage;
    coverage.left = left_of(coverage.counters);
    coverage.begun = {coverage.counters, rest()};
    return coverage;
  }

 private:
  // ---- in a worker ----

  std::uint64_t count() const override { return 1; }

  bool search(const Assignment& assigned) override {
    SharedPass& pass = assigned.slot.pass;
    assigned.slot.racy_sites = racy_sites_;
    prepare(assigned);
    pass.set_in_order(false);
    pass.set_subject(assigned.subject);
    if (assigned.shareable) pass.invite();
    const auto task = make_task_(assigned.channel, assigned.slot.racy_sites, made_.executions);
    SubjectSearch(pass, place(assigned, *task)).search(&rest_);
    pass.set_subject(SharedPass::nothing);
    return false;
  }

  void help(const Assignment& assigned) override {
    prepare(assigned);
    const std::uint64_t executions = made_.executions + assigned.owner.progress.made.executions;
    const auto task = make_task_(assigned.channel, assigned.slot.racy_sites, executions);
    SubjectSearch(assigned.owner.pass, place(assigned, *task)).help(assigned.subject, assigned.owner.racy_sites);
  }

  void prepare(const Assignment& assigned) {
    if (!warms_up_) return;
    warm_up(assigned.engine, assigned.slot.journal, program_);
    for (const auto& schedule : set_ups_) warm_up(assigned.engine, assigned.slot.journal, program_, schedule);
  }

  PassWorker::Place place(const Assignment& assigned, Task& task) const {
    return {assigned.engine, assigned.slot, program_, task, strategy_, options_.deadline, assigned.interruption};
  }

  // ---- in the parent ----

  void message(std::span<const std::byte> message) override { collector_.message(message); }

  AfterDeath died(WorkerSlot& slot, const ProcessEnd& end) override {
    if (!slot.journal.in_execution) fail("a worker process was ended by signal {} outside any execution", end.signal);
    slot.journal.in_execution = false;
    ++slot.counters.executions;
    if (slot.job == JobState::none && !slot.draws) warms_up_ = false;  // that is where it died
    someone_died_ = true;
    const Incident death = incident_of(end, slot.journal, options_.hang_seconds);
    const bool stop = collector_.died(death, slot.journal, slot.racy_sites, made_so_far().executions);
    // What a reduced search knew of its branch is lost with the process: others would wait for it.
    ended_by_find_ |= stop || owner().pass.is_reduced();
    return AfterDeath::stop;
  }

  AfterDeath helper_died(WorkerSlot& helper, WorkerSlot&, const ProcessEnd& end) override { return died(helper, end); }

  /// What it knew of a reduced tree is lost.
  void killed(WorkerSlot& slot) override {
    (slot.host == WorkerSlot::none ? slot : *campaign_.slots()[slot.host]).pass.tree.lose();
  }

  void tick() override {
    if (!options_.progress) return;
    Coverage now = covered();
    now.left = left_of(now.counters);
    options_.progress(now);
  }

  /// The one that has the program, or had it last.
  WorkerSlot& owner() const {
    const auto& slots = campaign_.slots();
    const auto found =
        std::ranges::find_if(slots, [](const auto& slot) { return slot->progress.begun || slot->progress.done; });
    return found == slots.end() ? *slots[0] : **found;
  }

  Counters made_so_far() const {
    Counters all = made_;
    for (const auto& slot : campaign_.slots()) {
      all.add(slot->progress.made);
      all.add(slot->counters);
    }
    all.share_done = share_done();
    return all;
  }

  double share_done() const {
    double share = 0;
    for (const auto& slot : campaign_.slots())
      share = std::max({share, slot->counters.share_done, slot->progress.made.share_done});
    return share;
  }

  Coverage covered() const {
    const WorkerSlot& slot = owner();
    const SearchProgress& progress = slot.progress;
    Coverage coverage;
    coverage.counters = made_so_far();
    coverage.under_way = slot.pass.bounds();
    const bool any_pass = progress.begun || progress.done;
    coverage.bounds = any_pass ? progress.exhausted : rest_.exhausted;
    coverage.some_bound_exhausted = any_pass ? progress.some_bound_exhausted : rest_.some_bound_exhausted;
    coverage.unbounded = strategy_.preemptions >= DepthFirstBounds::unbounded;
    coverage.exhausted = progress.done && !is_random(strategy_.kind);
    coverage.sampled = progress.done && is_random(strategy_.kind);
    // Threads may have been held back by another worker, or in an earlier run.
    const bool held_back = !progress.reduced && coverage.counters.held_back > 0;
    coverage.all_schedules = progress.all_schedules && !held_back;
    coverage.reduced = progress.reduced;
    coverage.seconds = std::chrono::duration<double>(Clock::now() - started_).count();
    return coverage;
  }

  /// False if it is to end. Workers will be new processes, in which libraries have yet to set themselves up.
  bool goes_on() {
    if (campaign_.halt().order() != Halt::Order::go_on) return false;
    rest_ = rest();
    made_ = made_so_far();
    for (auto& schedule : owner().pass.set_ups()) set_ups_.push_back(std::move(schedule));
    for (const auto& slot : campaign_.slots()) {
      slot->progress = {};
      slot->counters = {};
      slot->job = JobState::none;
    }
    return true;
  }

  /// What the workers of a pass that was stopped have left.
  Rest rest() {
    WorkerSlot& slot = owner();
    for (const auto& other : campaign_.slots()) racy_sites_.add(other->racy_sites);
    if (!slot.progress.begun) return rest_;
    Rest rest;
    rest.bounds = slot.pass.bounds();
    rest.some_bound_exhausted = slot.progress.some_bound_exhausted;
    rest.exhausted = slot.progress.exhausted;
    rest.next_number = slot.pass.next_number;
    if (is_random(strategy_.kind)) rest.next_number = std::min(rest.next_number, strategy_.executions);
    rest.searched = slot.pass.searched;
    rest.reduces = slot.pass.is_reduced() && strategy_.kind == StrategyKind::portfolio;
    rest.not_reduced = rest.reduces;
    if (slot.pass.is_reduced()) rest.tree = slot.pass.tree.save();
    if (slot.pass.kind() == PassKind::depth_first) rest.jobs = rest_of_pass(slot.pass, rest_.jobs);
    rest.left_out = slot.pass.left_out;
    rest.begun = !slot.pass.is_reduced() || !rest.tree.empty();
    for (const auto& other : campaign_.slots()) {
      if (other->job == JobState::taking) rest.begun = false;  // it was killed there, and what it took is not known
      for (auto& job : rest_of_job(*other, slot.pass)) rest.jobs.push_back(std::move(job));
      rest.left_out.preemptions |= other->counters.cut_by_preemptions | other->progress.made.cut_by_preemptions;
      rest.left_out.late_yields |= other->counters.cut_by_late_yields | other->progress.made.cut_by_late_yields;
    }
    keep_learned(rest, racy_sites_);
    return rest;
  }

  /// Executions are drawn once somebody asks: for searches that end at once that is not worth it.
  double left_of(const Counters& made) {
    if (!estimated_)
      estimated_ = estimate_executions(program_, strategy_, racy_sites_, options_.runtime,
                                       campaign_.halt().time_for(patience_with_estimates));
    const std::uint64_t ended_early = strategy_.kind == StrategyKind::reduction ? made.ended_early() : 0;
    return executions_left(*estimated_, made.executions - ended_early, made.executions, made.share_done);
  }

  const Program& program_;
  const StrategyConfig& strategy_;
  const MakeTask& make_task_;
  Collector& collector_;
  RacySites& racy_sites_;
  const ExploreOptions& options_;
  Campaign campaign_;
  const Clock::time_point started_ = Clock::now();
  Rest rest_;      // of an earlier run, or of the processes before the one that died
  Counters made_;  // by these
  bool someone_died_ = false, ended_by_find_ = false;
  bool warms_up_ = true;
  std::vector<std::vector<Decision>> set_ups_;  // schedules along which libraries set themselves up
  std::optional<double> estimated_;
};

}  // namespace

Coverage explore(const Program& program, const StrategyConfig& strategy, const MakeTask& make_task,
                 Collector& collector, RacySites& racy_sites, const ExploreOptions& options) {
  return ProgramSearch(program, strategy, make_task, collector, racy_sites, options).run();
}

}  // namespace muster
