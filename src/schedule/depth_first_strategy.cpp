#include "schedule/depth_first_strategy.hpp"

#include <utility>

namespace muster {

void DepthFirstStrategy::Spent::add(const Decision& d, int sign) {
  if (d.index == 0) return;
  if (d.cost == Cost::preemption) preemptions += static_cast<unsigned>(sign);
  if (d.cost == Cost::late_yield) late_yields += static_cast<unsigned>(sign);
}

bool DepthFirstStrategy::begin_execution(Schedule& schedule) {
  const Start start = std::exchange(start_, Start::after_schedule);
  if (start == Start::at_root) {
    schedule.truncate(0);
    return has_run_ = true;
  }
  if (start == Start::with_schedule) return has_run_ = true;
  shares_prefix_ = std::exchange(has_run_, true);
  return advance(schedule);
}

/// Whether another option than the first may be taken at `decision`, given what was spent before it.
bool DepthFirstStrategy::affordable(const Decision& decision, const Spent& before) {
  if (decision.cost == Cost::preemption && before.preemptions >= bounds_.preemptions) {
    left_out_.preemptions = true;
    return false;
  }
  if (decision.cost == Cost::late_yield && before.late_yields >= bounds_.late_yields) {
    left_out_.late_yields = true;
    return false;
  }
  return true;
}

/// Moves to the next schedule in depth-first order: the deepest decision with an untried, affordable option takes it.
bool DepthFirstStrategy::advance(Schedule& schedule) {
  if (sizes_) sizes_->executed(schedule.size());
  Spent spent = before_kept_;
  for (std::uint32_t i = kept_; i < schedule.size(); ++i) spent.add(schedule[i], +1);
  for (std::uint32_t size = schedule.size(); size > 0; --size) {
    Decision& last = schedule[size - 1];
    spent.add(last, -1);
    if (sizes_) sizes_->ended(size - 1);
    if (last.index + 1 < last.limit && affordable(last, spent)) {
      ++last.index;
      schedule.truncate(size);
      kept_ = size - 1;
      before_kept_ = spent;
      return true;
    }
  }
  kept_ = 0;
  before_kept_ = {};
  schedule.truncate(0);
  return false;
}

std::optional<std::vector<Decision>> DepthFirstStrategy::split(Schedule& schedule) {
  auto piece = split_off(schedule, 0);
  if (!piece) return std::nullopt;
  return std::move(piece->schedule);
}

/// Gives away all untried options of the shallowest decision that has some: the largest piece there is.
std::optional<DepthFirstStrategy::Piece> DepthFirstStrategy::split_off(Schedule& schedule, double least) {
  Spent spent;
  for (std::uint32_t i = 0; i < schedule.size(); ++i) {
    Decision& d = schedule[i];
    if (d.index + 1 < d.limit && affordable(d, spent)) {
      const double executions = sizes_ ? sizes_->expected(i) * (d.limit - d.index - 1) : 0;
      if (sizes_ && executions < least) return std::nullopt;
      std::vector<Decision> job(schedule.decisions().begin(), schedule.decisions().begin() + i + 1);
      for (Decision& frozen : job) frozen.limit = frozen.index + 1;
      ++job.back().index;
      job.back().limit = d.limit;
      d.limit = d.index + 1;
      return Piece{std::move(job), executions};
    }
    spent.add(d, +1);
  }
  return std::nullopt;
}

/// Knuth's estimate read off the current position: each decision halves (thirds, …) the weight of what hangs below it.
double DepthFirstStrategy::share_done(const Schedule& schedule) const {
  double done = 0, weight = 1;
  unsigned preemptions = 0;
  for (const Decision& d : schedule.decisions()) {
    const bool open = d.cost == Cost::free || (d.cost == Cost::preemption && preemptions < bounds_.preemptions);
    if (open && d.count > 1) {
      weight /= d.count;
      done += weight * d.index;
    }
    if (d.cost == Cost::preemption && d.index > 0) ++preemptions;
  }
  return done;
}

}  // namespace muster
