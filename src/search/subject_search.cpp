#include "search/subject_search.hpp"

#include <utility>

#include "search/passes.hpp"
#include "search/rest_text.hpp"

namespace muster {

SubjectSearch::SubjectSearch(SharedPass& pass, const PassWorker::Place& place)
    : pass_(pass), place_(place), worker_(pass, place, [this] { after_job(); }) {
  pass_.board.keep_in_stock(place.pieces_in_stock);
  pass_.tree.keep_in_stock(place.pieces_in_stock);
  place_.slot.progress = {};
  place_.slot.counters = {};
  place_.slot.job = JobState::none;
}

PassKind SubjectSearch::kind() const {
  return place_.strategy.kind == StrategyKind::reduction ? PassKind::reduced
         : is_random(place_.strategy.kind)               ? PassKind::random
                                                         : PassKind::depth_first;
}

void SubjectSearch::search(const Rest* resumed) {
  if (resumed) learn(place_.slot.racy_sites, *resumed);
  if (resumed) set_up_along(resumed->set_ups);
  if (resumed && resumed->begun) left_ = *resumed;
  SearchProgress& progress = place_.slot.progress;
  progress.some_bound_exhausted = left_.some_bound_exhausted;
  progress.exhausted = left_.exhausted;
  Passes passes(place_.strategy, left_.begun ? std::optional(left_.bounds) : std::nullopt);
  do {
    bounds_ = passes.bounds();
    made().cut_by_preemptions = left_.left_out.preemptions;
    made().cut_by_late_yields = left_.left_out.late_yields;
    made().share_done = 0;
    const bool is_done = left_.begun && left_.jobs.empty() && left_.tree.empty() && kind() != PassKind::random;
    if (!is_done && !run_pass(bounds_)) return;
    if (left_.part) {
      nothing_to_do_ = is_done;
      return stopped();
    }
    left_ = {};
    progress.exhausted = bounds_;
    progress.some_bound_exhausted = kind() != PassKind::random;
  } while (passes.next({made().cut_by_preemptions, made().cut_by_late_yields}));
  progress.all_schedules = kind() != PassKind::random && !made().cut_by_preemptions && !made().cut_by_late_yields &&
                           (kind() == PassKind::reduced || made().held_back == 0);
  progress.done = true;
}

bool SubjectSearch::run_pass(DepthFirstBounds bounds) {
  for (;;) {
    place_.slot.job = JobState::none;
    pass_.next_number = left_.next_number;
    pass_.begin(kind(), bounds);
    place_.slot.progress.begun = true;
    run_once();
    worker_.settle(made());
    if (!pass_.learned) break;
    worker_.take_rest();
    if (left_.part) {
      place_.slot.progress.learned = true;
      stopped();
      return false;
    }
    begins_again();
    left_.jobs.clear();
    left_.tree.clear();
    left_.begun = false;
    made().cut_by_preemptions = made().cut_by_late_yields = false;  // the pass starts again, with more points
  }
  made().idle_seconds += pass_.work().take_idle_seconds();
  made().cut_by_preemptions |= pass_.left_out.preemptions;
  made().cut_by_late_yields |= pass_.left_out.late_yields;
  if (ends_search()) return false;
  if (!pass_.work().stopped()) return true;
  stopped();
  return false;
}

void SubjectSearch::run_once() {
  if (kind() != PassKind::reduced) return worker_.run(left_.jobs);
  ReductionStrategy strategy(reduction(), &pass_.tree);
  begins_reduced(strategy);
  worker_.run_reduced(strategy, left_.tree, left_.part);
}

ReductionConfig SubjectSearch::reduction() const {
  ReductionConfig config = ReductionConfig::with_bound(pass_.bounds().preemptions);
  config.symmetry = place_.strategy.symmetry;
  return config;
}

/// What an earlier process learned there, this one has to go through, too, as have those that help it.
void SubjectSearch::set_up_along(const std::vector<std::vector<Decision>>& schedules) {
  for (const auto& schedule : schedules) {
    warm_up(place_.engine, place_.slot.journal, place_.program, schedule);
    pass_.add_set_up(schedule);
  }
}

Rest SubjectSearch::rest() {
  if (nothing_to_do_) return left_;
  Rest rest;
  rest.part = left_.part;
  rest.set_ups = pass_.set_ups();
  if (place_.slot.progress.learned) {
    rest = left_;
    rest.learned = true;
    rest.set_ups = pass_.set_ups();
    keep_learned(rest, place_.slot.racy_sites);
    return rest;
  }
  rest.bounds = pass_.bounds();
  rest.left_out = {made().cut_by_preemptions, made().cut_by_late_yields};
  rest.jobs = worker_.take_rest();
  if (pass_.is_reduced()) rest.tree = pass_.tree.save();
  rest.begun = !pass_.is_reduced() || !rest.tree.empty();
  keep_learned(rest, place_.slot.racy_sites);
  return rest;
}

bool SubjectSearch::help(std::uint64_t subject, RacySites& sites) {
  bool any = false;
  std::size_t set_ups = 0;  // that this process has gone along
  for (unsigned number = 0; (number = pass_.join(subject, number)) != 0;) {
    place_.slot.joined = true;
    if (!std::exchange(any, true)) pass_.count_helper();
    for (const auto& all = pass_.set_ups(); set_ups < all.size(); ++set_ups)
      warm_up(place_.engine, place_.slot.journal, place_.program, all[set_ups]);
    place_.slot.racy_sites = sites;
    if (pass_.is_reduced()) {
      ReductionStrategy strategy(reduction(), &pass_.tree);
      begins_reduced(strategy);
      worker_.help_reduced(strategy);
    } else {
      worker_.help();
    }
    worker_.settle(made());
    sites.add(place_.slot.racy_sites);
    helped();
    worker_.take_rest();
    if (pass_.learned) place_.slot.job = JobState::none;
    place_.slot.joined = false;
    pass_.work().leave();
  }
  return any;
}

}  // namespace muster
