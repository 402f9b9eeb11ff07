#include "search/subject_search.hpp"

#include <limits>
#include <utility>

#include "search/estimate.hpp"
#include "search/rest_text.hpp"

namespace muster {

SubjectSearch::SubjectSearch(SharedPass& pass, const PassWorker::Place& place)
    : pass_(pass), place_(place), worker_(pass, place, [this] { after_job(); }) {
  place_.slot.progress = {};
  place_.slot.counters = {};
  place_.slot.job = JobState::none;
}

PassKind SubjectSearch::kind() const {
  return place_.strategy.kind == StrategyKind::reduction || reduces_ ? PassKind::reduced
         : is_random(place_.strategy.kind)                           ? PassKind::random
                                                                     : PassKind::depth_first;
}

void SubjectSearch::begin(const Rest* resumed) {
  if (resumed) learn(place_.slot.racy_sites, *resumed);
  if (resumed && resumed->begun) left_ = *resumed;
  SearchProgress& progress = place_.slot.progress;
  progress.some_bound_exhausted = left_.some_bound_exhausted;
  progress.exhausted = left_.exhausted;
  pass_.next_number = left_.next_number;
  pass_.searched = left_.searched;
  reduces_ = left_.reduces;
  not_reduced_ = left_.not_reduced;
}

void SubjectSearch::search(const Rest* resumed) {
  begin(resumed);
  Passes passes(place_.strategy, left_.begun ? std::optional(left_.bounds) : std::nullopt);
  bounds_ = passes.bounds();
  if (is_portfolio() && place_.strategy.shares.last_bound < 0) return draw_only();
  Then then = Then::next_pass;
  while (then == Then::next_pass) {
    bounds_ = passes.bounds();
    if (visit_ends_before(bounds_)) return leave_before(bounds_);
    then = run_pass_of(passes);
    left_ = {};
    if (then == Then::ended) return;
    if (then == Then::next_pass && !passes.next({made().cut_by_preemptions, made().cut_by_late_yields}))
      then = Then::done;
  }
  settle_what_was_covered();
  grow(passes);
}

bool SubjectSearch::visit_ends_before(const DepthFirstBounds& bounds) const {
  return is_portfolio() && static_cast<int>(bounds.preemptions) > place_.strategy.shares.last_bound;
}

SubjectSearch::Then SubjectSearch::run_pass_of(const Passes& passes) {
  if (shall_reduce(passes)) {
    const Then then = try_reduced();
    if (then != Then::next_pass) return then;
  }
  SearchProgress& progress = place_.slot.progress;
  made().cut_by_preemptions = left_.left_out.preemptions;
  made().cut_by_late_yields = left_.left_out.late_yields;
  made().share_done = 0;
  const bool is_done = left_.begun && left_.jobs.empty() && kind() == PassKind::depth_first;
  if (!is_done && !run_pass(bounds_)) return Then::ended;
  progress.exhausted = bounds_;
  progress.some_bound_exhausted = kind() != PassKind::random;
  return Then::next_pass;
}

void SubjectSearch::settle_what_was_covered() {
  SearchProgress& progress = place_.slot.progress;
  const bool reduced = kind() == PassKind::reduced;
  progress.all_schedules = kind() != PassKind::random && !made().cut_by_preemptions && !made().cut_by_late_yields &&
                           (reduced || made().held_back == 0);
  progress.reduced = reduced;
  progress.done = true;
}

/// Beyond what was asked for, as long as there is time: what is found counts, and nothing else does.
void SubjectSearch::grow(Passes& passes) {
  SearchProgress& progress = place_.slot.progress;
  if (!is_portfolio()) return;
  place_.task.begin_aside();
  for (std::uint64_t i = 0; i < place_.strategy.shares.growth && !progress.all_schedules && !reduces_; ++i) {
    passes.grow();
    bounds_ = passes.bounds();
    made().cut_by_preemptions = made().cut_by_late_yields = false;
    if (!run_pass(bounds_)) break;
    progress.exhausted = bounds_;
    settle_what_was_covered();
  }
  place_.task.end_aside();
}

// ---- a portfolio ----

/// A visit that only draws.
void SubjectSearch::draw_only() {
  do {
    place_.slot.job = JobState::none;
    pass_.begin(PassKind::depth_first, bounds_);
    place_.slot.progress.begun = true;
    worker_.run_drawn();
    worker_.settle(made());
  } while (pass_.learned);
  if (ends_search()) return;
  leave_before(bounds_);
}

/// Another visit goes on with this pass.
void SubjectSearch::leave_before(const DepthFirstBounds& bounds) {
  left_before_ = bounds;
  stopped();
}

/// Whether the last bound is better replaced by reduction, which then leaves nothing out: if so many fewer classes are
/// expected than executions. One of a reduced search costs more, and not all of them come to an end of their own.
bool SubjectSearch::shall_reduce(const Passes& passes) {
  if (reduces_) return true;
  if (!is_portfolio() || not_reduced_ || !passes.is_at_last() || bounds_.late_yields > 0) return false;
  if (!place_.strategy.shares.may_reduce) return false;
  constexpr std::uint64_t few = 500, drawn = 120;
  constexpr double times_cheaper = 4;
  if (left_.begun && !left_.jobs.empty() && !left_.jobs.front().empty()) return false;  // the pass was begun
  if (bounds_.preemptions == 0 || bounds_.preemptions >= DepthFirstBounds::unbounded || pass_.searched < few)
    return false;
  not_reduced_ = true;
  const EstimateBench bench{place_.engine, place_.slot.journal, place_.slot.racy_sites, place_.program};
  const EstimateLimits limits{.seconds = std::numeric_limits<double>::infinity(), .executions = drawn};
  StrategyConfig plain = place_.strategy, reduced = place_.strategy;
  plain.kind = StrategyKind::depth_first;
  reduced.kind = StrategyKind::reduction;
  reduced.preemptions = DepthFirstBounds::unbounded;
  const double bounded = estimate_executions(bench, plain, limits);
  const double classes = estimate_executions(bench, reduced, limits);
  reduces_ = classes > 0 && bounded > few && classes * times_cheaper < bounded;
  if (reduces_) worker_.allow(static_cast<std::uint64_t>(bounded));
  return reduces_;
}

/// What it does not decide, or not with as many executions as the bound was to take, is left to the bound.
SubjectSearch::Then SubjectSearch::try_reduced() {
  SearchProgress& progress = place_.slot.progress;
  made().cut_by_preemptions = made().cut_by_late_yields = false;
  place_.task.begin_aside();
  const bool ended = !run_pass({DepthFirstBounds::unbounded, 0});
  const bool found = place_.task.end_aside() || pass_.found_aside;
  if (!ended && !found) {
    progress.exhausted = bounds_;
    progress.some_bound_exhausted = true;
    return Then::done;
  }
  if (found || (!worker_.was_too_long() && !pass_.found_what_ends_it)) return Then::ended;
  reduces_ = false;
  not_reduced_ = true;
  worker_.allow_any();
  ends_reduced();
  return Then::next_pass;
}

bool SubjectSearch::run_pass(DepthFirstBounds bounds) {
  for (;;) {
    place_.slot.job = JobState::none;
    if (kind() == PassKind::random) pass_.next_number = left_.next_number;
    pass_.begin(kind(), bounds);
    place_.slot.progress.begun = true;
    run_once();
    worker_.settle(made());
    if (!pass_.learned) break;
    worker_.take_rest();
    begins_again();
    left_.jobs.clear();
    left_.tree.clear();
    left_.begun = false;
    made().cut_by_preemptions = made().cut_by_late_yields = false;  // the pass starts again, with more points
  }
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
  worker_.run_reduced(strategy, left_.tree);
}

ReductionConfig SubjectSearch::reduction() const {
  ReductionConfig config = ReductionConfig::with_bound(pass_.bounds().preemptions);
  config.symmetry = place_.strategy.symmetry;
  return config;
}

Rest SubjectSearch::rest() {
  Rest rest;
  rest.next_number = pass_.next_number;
  rest.searched = pass_.searched;
  rest.reduces = reduces_;
  rest.not_reduced = not_reduced_;
  rest.some_bound_exhausted = place_.slot.progress.some_bound_exhausted;
  rest.exhausted = place_.slot.progress.exhausted;
  if (left_before_) {
    rest.begun = true;
    rest.bounds = *left_before_;
    rest.jobs.emplace_back();
    keep_learned(rest, place_.slot.racy_sites);
    return rest;
  }
  rest.bounds = reduces_ ? bounds_ : pass_.bounds();
  rest.left_out = {made().cut_by_preemptions, made().cut_by_late_yields};
  rest.jobs = worker_.take_rest();
  if (pass_.is_reduced()) rest.tree = pass_.tree.save();
  rest.begun = !pass_.is_reduced() || !rest.tree.empty();
  keep_learned(rest, place_.slot.racy_sites);
  return rest;
}

bool SubjectSearch::help(std::uint64_t subject, RacySites& sites) {
  bool any = false;
  not_reduced_ = reduces_ = false;
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
      if (is_portfolio()) place_.task.begin_aside();
      worker_.help_reduced(strategy);
      if (is_portfolio() && place_.task.end_aside()) pass_.found_aside = true;
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
