#include "search/shared_pass.hpp"

#include <algorithm>
#include <utility>

namespace muster {

bool comes_before(std::span<const Decision> a, std::span<const Decision> b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [](const Decision& x, const Decision& y) { return x.index < y.index; });
}

void SharedPass::lock() {
  while (__atomic_exchange_n(&locked_, 1, __ATOMIC_ACQUIRE) != 0) short_sleep();
}

void SharedPass::unlock() { __atomic_store_n(&locked_, 0, __ATOMIC_RELEASE); }

void SharedPass::set_subject(std::uint64_t subject) {
  inviting_ = false;
  helpers_ = 0;
  __atomic_store_n(&subject_, subject, __ATOMIC_RELEASE);
}

void SharedPass::begin(DepthFirstBounds bounds) {
  begin_pass(bounds, false);
  board.start_alone();
}

void SharedPass::begin_reduced(DepthFirstBounds bounds) {
  begin_pass(bounds, true);
  tree.start_alone();
}

void SharedPass::begin_pass(DepthFirstBounds bounds, bool reduced) {
  bounds_ = bounds;
  reduced_ = reduced;
  learned = out_of_time = cut_by_preemptions = cut_by_late_yields = false;
  found_[0] = found_[1] = false;
  __atomic_fetch_add(&number_, 1, __ATOMIC_ACQ_REL);
}

unsigned SharedPass::join(std::uint64_t subject, unsigned last) {
  while (this->subject() == subject) {
    const unsigned number = __atomic_load_n(&number_, __ATOMIC_ACQUIRE);
    if (number != last && work().join()) {
      // Between the two, the owner may have gone on to another pass; whoever is in keeps it from doing so again.
      if (this->subject() == subject) return __atomic_load_n(&number_, __ATOMIC_ACQUIRE);
      work().leave();
    }
    short_sleep();
  }
  return 0;
}

void SharedPass::found_at(std::span<const Decision> decisions, Find find) {
  const int which = static_cast<int>(find);
  lock();
  if (!found_[which] || comes_before(decisions, first_[which].decisions())) {
    first_[which].assign(decisions);
    __atomic_store_n(&found_[which], true, __ATOMIC_RELEASE);
  }
  unlock();
}

bool SharedPass::is_beyond(std::span<const Decision> decisions) {
  if (!found(Find::ends)) return false;
  lock();
  const bool beyond = comes_before(first_[static_cast<int>(Find::ends)].decisions(), decisions);
  unlock();
  return beyond;
}

std::vector<Decision> SharedPass::first_found(Find find) {
  lock();
  const auto decisions = first_[static_cast<int>(find)].decisions();
  std::vector<Decision> first(decisions.begin(), decisions.end());
  unlock();
  return first;
}

/// Between two executions: gives work away, and ends the job where nothing of it counts any more.
class PassWorker::Sharing final : public Interruption {
 public:
  explicit Sharing(PassWorker& worker) : worker_(worker), pass_(worker.pass_) {}

  bool go_on(Strategy& strategy, Schedule& schedule) override {
    worker_.count_execution();
    if (!worker_.place_.interruption.go_on(strategy, schedule)) pass_.board.stop();
    if (pass_.board.stopped()) {
      given_up = true;
      return false;
    }
    if (pass_.is_beyond(schedule.decisions())) {
      beyond = true;
      return false;
    }
    if (pass_.board.hungry()) give_away(strategy, schedule);
    return true;
  }

  bool given_up = false;  // from outside: the rest is still to do
  bool beyond = false;    // the rest does not count

 private:
  void give_away(Strategy& strategy, Schedule& schedule) {
    if (!worker_.own_jobs_.empty()) {
      if (pass_.board.post(worker_.own_jobs_.back())) worker_.own_jobs_.pop_back();
      return;
    }
    auto job = strategy.traversal()->split(schedule);
    if (!job) return;
    const std::uint8_t limit = job->back().limit;
    for (Decision& decision : *job) decision.fingerprint = 0;  // addresses of another process
    if (!pass_.board.post(*job)) schedule[static_cast<std::uint32_t>(job->size() - 1)].limit = limit;
  }

  PassWorker& worker_;
  SharedPass& pass_;
};

void PassWorker::run(Jobs jobs) {
  own_jobs_ = std::move(jobs);
  bool begun = false;
  while (!begun || !own_jobs_.empty()) {
    std::vector<Decision> job;  // the whole tree
    if (!own_jobs_.empty()) {
      job = std::move(own_jobs_.back());
      own_jobs_.pop_back();
    }
    begun = true;
    if (pass_.board.stopped())
      rest_.push_back(std::move(job));
    else
      run_job(job);
  }
  pass_.board.done();
  help();
  pass_.end();
  if (!pass_.board.stopped()) return;
  for (auto& job : pass_.board.remaining()) rest_.push_back(std::move(job));
}

void PassWorker::help() {
  while (const auto job = pass_.board.take()) {
    run_job(*job);
    pass_.board.done();
  }
}

void PassWorker::run_job(const std::vector<Decision>& job) {
  if (pass_.is_beyond(job)) return;
  Schedule& schedule = place_.journal.schedule;
  schedule.assign(job);
  DepthFirstStrategy strategy(
      pass_.bounds(), job.empty() ? DepthFirstStrategy::Start::at_root : DepthFirstStrategy::Start::with_schedule);
  Sharing sharing(*this);
  place_.counters = {};
  const SearchEnd end = search(place_.engine, place_.journal, place_.program, strategy, place_.task, place_.counters,
                               place_.limits, sharing);
  const bool given_up = end == SearchEnd::out_of_time || sharing.given_up;
  note_end(end);
  if (end == SearchEnd::stopped && !sharing.given_up && !sharing.beyond)
    pass_.found_at(schedule.decisions(), SharedPass::Find::ends);
  if (given_up) keep_rest_of_job();
  done_.push_back({job, place_.counters});
  after_job_();
}

void PassWorker::count_execution() {
  if (++executions_ == place_.invite_after) pass_.invite();
}

void PassWorker::note_end(SearchEnd end) {
  if (end == SearchEnd::out_of_time) pass_.out_of_time = true;
  if (end == SearchEnd::learned) pass_.learned = true;
  if (end == SearchEnd::out_of_time || end == SearchEnd::learned) pass_.work().stop();
  if (place_.counters.cut_by_preemptions) pass_.cut_by_preemptions = true;
  if (place_.counters.cut_by_late_yields) pass_.cut_by_late_yields = true;
}

/// Between two executions of a reduced pass. The strategy gives work away by itself.
class PassWorker::SharingReduced final : public Interruption {
 public:
  explicit SharingReduced(PassWorker& worker) : worker_(worker) {}
  bool go_on(Strategy& strategy, Schedule& schedule) override {
    worker_.count_execution();
    given_up |= !worker_.place_.interruption.go_on(strategy, schedule);
    if (given_up) worker_.pass_.tree.stop();
    given_up |= worker_.pass_.tree.stopped();
    return !given_up;
  }
  bool given_up = false;  // from outside, or because of what another worker found

 private:
  PassWorker& worker_;
};

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
  SharingReduced sharing(*this);
  place_.counters = {};
  const SearchEnd end = search(place_.engine, place_.journal, place_.program, strategy, place_.task, place_.counters,
                               place_.limits, sharing);
  note_end(end);
  if (end == SearchEnd::stopped) pass_.tree.stop();
  if (end != SearchEnd::exhausted && !(strategy.can_pause() && strategy.give_up_job(place_.journal.schedule)))
    pass_.tree.lose();
  done_.push_back({{}, place_.counters});
  pass_.tree.done();
}

void PassWorker::keep_rest_of_job() {
  Schedule& schedule = place_.journal.schedule;
  DepthFirstStrategy next(pass_.bounds(), DepthFirstStrategy::Start::after_schedule);
  if (next.begin_execution(schedule)) rest_.emplace_back(schedule.decisions().begin(), schedule.decisions().end());
  place_.counters.cut_by_preemptions |= next.left_out().preemptions;
  place_.counters.cut_by_late_yields |= next.left_out().late_yields;
}

Counters PassWorker::settle() {
  Counters all;
  for (const Done& job : done_) {
    if (!pass_.is_beyond(job.start)) all.add(job.counters);
  }
  done_.clear();
  return all;
}

PassWorker::Jobs PassWorker::take_rest() { return std::exchange(rest_, {}); }

}  // namespace muster
