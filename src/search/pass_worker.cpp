#include "search/pass_worker.hpp"

#include <utility>

namespace muster {

/// Between two executions: gives work away, and ends the job where nothing of it counts any more.
class PassWorker::Sharing final : public Interruption {
 public:
  explicit Sharing(PassWorker& worker) : worker_(worker), pass_(worker.pass_) {}

  bool go_on(Strategy& strategy, Schedule& schedule) override {
    if (++worker_.executions_ == worker_.place_.invite_after) pass_.invite();
    if (!worker_.place_.interruption.go_on(strategy, schedule)) pass_.work().stop();
    if (worker_.was_too_long()) pass_.work().stop();
    if (pass_.work().stopped()) {
      given_up = true;
      return false;
    }
    if (pass_.is_reduced()) return true;  // the strategy gives work away by itself
    if (pass_.is_beyond(schedule.decisions())) {
      beyond = true;
      return false;
    }
    if (pass_.board.hungry()) give_away(strategy, schedule);
    return !worker_.owns_ || pass_.kind() != PassKind::depth_first || draw(strategy);
  }

  bool given_up = false;  // from outside: the rest is still to do
  bool drawn = false;     // what was drawn beside the job ends it
  bool beyond = false;    // the rest does not count

 private:
  void give_away(Strategy& strategy, Schedule& schedule) {
    if (pass_.kind() == PassKind::random) {  // whoever takes it draws executions, too
      pass_.board.post({});
      return;
    }
    if (pass_.own_jobs_left > 0) {
      if (pass_.board.post((*worker_.own_jobs_)[pass_.own_jobs_left - 1])) --pass_.own_jobs_left;
      return;
    }
    auto job = strategy.traversal()->split(schedule);
    if (!job) return;
    const std::uint8_t limit = job->back().limit;
    for (Decision& decision : *job) decision.fingerprint = 0;  // addresses of another process
    if (!pass_.board.post(*job)) schedule[static_cast<std::uint32_t>(job->size() - 1)].limit = limit;
  }

  /// False if what was drawn ends the job.
  bool draw(Strategy& strategy) {
    worker_.sampling_.searched();
    if (!worker_.sampling_.is_due()) return true;
    const Sampling::Drew drew = worker_.sampling_.draw_between();
    static_cast<DepthFirstStrategy&>(strategy).was_interrupted();
    if (drew == Sampling::Drew::all) return true;
    worker_.note_drawn(drew);
    given_up = drew == Sampling::Drew::stopped || drew == Sampling::Drew::out_of_time;
    drawn = true;
    return false;
  }

  PassWorker& worker_;
  SharedPass& pass_;
};

PassWorker::PassWorker(SharedPass& pass, Place place, std::function<void()> after_job)
    : pass_(pass),
      place_(place),
      after_job_(std::move(after_job)),
      outside_(*this),
      sampling_({place.engine, place.slot, place.program, place.task, place.strategy, place.deadline, outside_},
                pass.next_number, pass.searched) {
  if (place.strategy.most_executions > 0) allow(place.strategy.most_executions);
}

/// What comes before anything else. False if it ends the pass.
bool PassWorker::draw_first() {
  found_by_drawing_ = false;
  if (pass_.kind() != PassKind::depth_first || !sampling_.is_due()) return true;
  const JobState job = std::exchange(place_.slot.job, JobState::none);
  place_.slot.journal.schedule.truncate(0);
  const Sampling::Drew drew = sampling_.draw();
  place_.slot.job = job;
  if (drew == Sampling::Drew::all) return true;
  note_drawn(drew);
  return false;
}

/// It ends the pass for everybody.
void PassWorker::note_drawn(Sampling::Drew drew) {
  using Drew = Sampling::Drew;
  if (drew == Drew::out_of_time) pass_.out_of_time = true;
  if (drew == Drew::learned) pass_.learned = true;
  if (drew == Drew::finding) pass_.found_what_ends_it = found_by_drawing_ = true;
  pass_.work().stop();
}

void PassWorker::run_drawn() {
  owns_ = true;
  pass_.own_jobs_left = 0;
  pass_.whole_tree_left = true;
  if (!draw_first()) after_job_();
  pass_.board.done();
  pass_.board.stop();
  pass_.end();
}

void PassWorker::run(const Jobs& left) {
  place_.slot.job = JobState::taking;
  owns_ = true;
  own_jobs_ = &left;
  pass_.own_jobs_left = left.size();
  pass_.whole_tree_left = left.empty();
  const bool goes_on = draw_first();
  if (goes_on) pass_.whole_tree_left = false;
  if (goes_on && left.empty()) run_job({});  // the whole tree
  if (!goes_on) after_job_();
  while (pass_.own_jobs_left > 0 && !pass_.board.stopped()) {
    const std::vector<Decision>& job = left[--pass_.own_jobs_left];
    run_job(job);
  }
  pass_.board.done();
  help();
  pass_.end();
  if (!pass_.board.stopped()) return;
  for (auto& job : rest_of_pass(pass_, left)) rest_.push_back(std::move(job));
}

void PassWorker::help() {
  if (place_.slot.job == JobState::none) place_.slot.job = JobState::taking;
  while (const auto job = pass_.board.take()) {
    run_job(*job);
    pass_.board.done();
  }
  if (place_.slot.job == JobState::taking) place_.slot.job = JobState::none;
}

std::unique_ptr<Strategy> PassWorker::strategy_for(const std::vector<Decision>& job) {
  if (pass_.kind() == PassKind::random) {
    return make_random_strategy(place_.strategy, [this]() -> std::optional<std::uint64_t> {
      const std::uint64_t number = pass_.take_number();
      return number < place_.strategy.executions ? std::optional(number) : std::nullopt;
    });
  }
  using Start = DepthFirstStrategy::Start;
  return std::make_unique<DepthFirstStrategy>(pass_.bounds(), job.empty() ? Start::at_root : Start::with_schedule);
}

void PassWorker::run_job(const std::vector<Decision>& job) {
  if (pass_.is_beyond(job)) return;
  WorkerSlot& slot = place_.slot;
  slot.journal.schedule.assign(job);
  const auto strategy = strategy_for(job);
  Sharing sharing(*this);
  const SearchEnd end = search_job(*strategy, sharing);
  const bool given_up = end == SearchEnd::out_of_time || sharing.given_up;
  if (end == SearchEnd::stopped && !sharing.given_up && !sharing.beyond && !sharing.drawn && pass_.in_order())
    pass_.found_at(slot.journal.schedule.decisions(), SharedPass::Find::ends);
  if (given_up && pass_.kind() == PassKind::depth_first) {
    slot.job = JobState::given_up;
    for (auto& rest : rest_of_job(slot, pass_)) rest_.push_back(std::move(rest));
  } else {
    slot.job = JobState::taking;
  }
  finish_job(job);
  after_job_();
}

SearchEnd PassWorker::search_job(Strategy& strategy, Sharing& sharing) {
  WorkerSlot& slot = place_.slot;
  const unsigned set_ups = slot.journal.set_ups;
  slot.counters = {};
  slot.job = JobState::under_way;
  const SearchEnd end = search(place_.engine, slot.journal, place_.program, strategy, place_.task, slot.counters,
                               {place_.deadline}, sharing);
  if (slot.journal.set_ups > set_ups) pass_.add_set_up(slot.journal.schedule.decisions());
  if (end == SearchEnd::out_of_time) pass_.out_of_time = true;
  if (end == SearchEnd::learned) pass_.learned = true;
  const bool found =
      end == SearchEnd::stopped && !sharing.given_up && !sharing.beyond && !sharing.drawn && !pass_.in_order();
  if (found) pass_.found_what_ends_it = true;
  if (found || end == SearchEnd::out_of_time || end == SearchEnd::learned) pass_.work().stop();
  pass_.left_out.preemptions |= slot.counters.cut_by_preemptions;
  pass_.left_out.late_yields |= slot.counters.cut_by_late_yields;
  return end;
}

/// Where what is counted depends on what ends the pass, that is known later.
void PassWorker::finish_job(const std::vector<Decision>& job) {
  const Counters counted = place_.slot.counters;
  if (pass_.in_order()) {
    done_.push_back({job, counted});
    return;
  }
  place_.slot.counters = {};
  place_.slot.progress.made.add(counted);
}

void PassWorker::run_reduced(ReductionStrategy& strategy, const std::vector<std::string>& left) {
  if (left.empty()) {
    run_reduced_job(strategy, {});
  } else {
    pass_.tree.load(left);
    pass_.tree.done();
  }
  help_reduced(strategy);
  pass_.end();
}

void PassWorker::help_reduced(ReductionStrategy& strategy) {
  while (auto job = pass_.tree.take()) run_reduced_job(strategy, std::move(*job));
}

void PassWorker::run_reduced_job(ReductionStrategy& strategy, BranchJob job) {
  strategy.begin_job(std::move(job));
  Sharing sharing(*this);
  const SearchEnd end = search_job(strategy, sharing);
  if (end != SearchEnd::exhausted && !(strategy.can_pause() && strategy.give_up_job(place_.slot.journal.schedule)))
    pass_.tree.lose();
  place_.slot.job = JobState::none;
  finish_job({});
  pass_.tree.done();
}

void PassWorker::settle(Counters& made) {
  for (const Done& job : done_) {
    if (!pass_.is_beyond(job.start)) made.add(job.counters);
  }
  done_.clear();
}

PassWorker::Jobs rest_of_job(WorkerSlot& slot, SharedPass& pass) {
  const bool any = slot.job == JobState::under_way || slot.job == JobState::given_up;
  if (!any || pass.kind() != PassKind::depth_first) return {};
  Schedule& schedule = slot.draws ? slot.aside : slot.journal.schedule;
  if (slot.journal.in_execution && !slot.draws) return {job_under_way(schedule)};
  const auto decisions = schedule.decisions();
  const std::vector<Decision> last(decisions.begin(), decisions.end());
  DepthFirstStrategy next(pass.bounds(), DepthFirstStrategy::Start::after_schedule);
  PassWorker::Jobs rest;
  if (next.begin_execution(schedule)) rest.emplace_back(schedule.decisions().begin(), schedule.decisions().end());
  schedule.assign(last);  // whoever asks again is told the same
  slot.counters.cut_by_preemptions |= next.left_out().preemptions;
  slot.counters.cut_by_late_yields |= next.left_out().late_yields;
  return rest;
}

PassWorker::Jobs rest_of_pass(SharedPass& pass, const PassWorker::Jobs& begun_with) {
  PassWorker::Jobs rest(begun_with.begin(), begun_with.begin() + static_cast<std::ptrdiff_t>(pass.own_jobs_left));
  for (auto& job : pass.board.remaining()) rest.push_back(std::move(job));
  if (pass.whole_tree_left) rest.emplace_back();
  return rest;
}

}  // namespace muster
