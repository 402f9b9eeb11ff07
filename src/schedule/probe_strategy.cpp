#include "schedule/probe_strategy.hpp"

#include <algorithm>
#include <cmath>

namespace muster {
namespace {

/// Ways to pay at most `left` times at `decisions` more decisions that have `others` costly options each.
double ways(unsigned decisions, unsigned left, double others) {
  double sum = 1, term = 1;
  for (unsigned paid = 1; paid <= std::min(left, decisions); ++paid) {
    term *= others * (decisions - paid + 1) / paid;
    sum += term;
  }
  return sum;
}

}  // namespace

void ProbeStrategy::Purse::refill(unsigned bound) {
  left = bound;
  met = 0;
}

bool ProbeStrategy::begin_execution(Schedule& schedule) {
  schedule.truncate(0);
  weight_ = 1;
  preemptions_.refill(bounds_.preemptions);
  late_yields_.refill(bounds_.late_yields);
  return true;
}

std::uint8_t ProbeStrategy::decide(const Point& point) {
  if (point.cost == Cost::preemption) return draw(point, preemptions_);
  if (point.cost == Cost::late_yield) return draw(point, late_yields_);
  const auto count = static_cast<unsigned>(point.options.size());
  weight_ *= count;
  return static_cast<std::uint8_t>(rng_.below(count));
}

std::uint8_t ProbeStrategy::draw(const Point& point, Purse& purse) {
  if (purse.left == 0) {
    purse.cut = true;
    return 0;
  }
  const auto others = static_cast<unsigned>(point.options.size()) - 1;
  ++purse.met;
  const unsigned ahead = static_cast<unsigned>(std::max(1.0, std::round(purse.expected - purse.met)));
  // Where everything can be paid, every option is worth the same.
  const bool rich = purse.left > ahead;
  const double stay = rich ? 1 : ways(ahead, purse.left, others);
  const double leave = rich ? 1 : ways(ahead, purse.left - 1, others);
  const double chance_to_stay = stay / (stay + others * leave);
  constexpr std::uint64_t fine = 1 << 24;
  if (static_cast<double>(rng_.below(fine)) < chance_to_stay * fine) {
    weight_ /= chance_to_stay;
    return 0;
  }
  weight_ *= others / (1 - chance_to_stay);
  --purse.left;
  return static_cast<std::uint8_t>(1 + rng_.below(others));
}

void ProbeStrategy::end_execution(const Schedule&, Ending) {
  // Only from executions that could pay to their end is it known how often they could.
  for (Purse* purse : {&preemptions_, &late_yields_}) {
    if (purse->left > 0)
      purse->expected += (purse->met - purse->expected) / 4;
    else if (purse->met > purse->expected)
      purse->expected = purse->met;
  }
}

}  // namespace muster
