#pragma once
// How a search is led, as its command line says.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/random_strategies.hpp"
#include "schedule/schedule.hpp"

namespace muster {

/// `portfolio` is the default: depth-first with growing bounds, with drawn executions in between, and reduction where
/// it is cheaper. `predict` is for checks alone: it follows what a recorded execution lets expect.
enum class StrategyKind : std::uint8_t { portfolio, depth_first, random, pct, pos, surw, reduction, predict };

/// As the command line calls it.
const char* name(StrategyKind kind);
std::vector<std::string> strategy_names();
/// Of one of these names.
StrategyKind strategy_of(std::string_view name);
/// Whether it draws executions: then nothing is exhausted.
constexpr bool is_random(StrategyKind kind) {
  return kind == StrategyKind::random || kind == StrategyKind::pct || kind == StrategyKind::pos ||
         kind == StrategyKind::surw;
}

/// How far a portfolio goes in one visit to its subject. All shares are numbers of executions, never times, so that the
/// same seed gives the same search.
struct PortfolioShares {
  std::uint64_t first = 32;    // drawn before anything else
  std::uint64_t even = 1'000;  // so many are drawn as soon as as many were made depth-first, then fewer
  int last_bound = 1 << 20;    // the visit ends before a larger one; -1: after those that are drawn first
  std::uint64_t growth = 0;    // how many larger bounds follow once all that was asked for is covered
  bool may_reduce = true;
};

struct StrategyConfig {
  StrategyKind kind = StrategyKind::depth_first;
  unsigned preemptions = 2;  // the last bound; DepthFirstBounds::unbounded for none
  unsigned late_yields = 1;
  std::uint64_t seed = 1;
  std::uint64_t executions = 10'000;  // of a random search
  std::uint64_t most_executions =
      0;               // of any other, by each worker; what is not exhausted by then is given up; 0: any number
  unsigned depth = 3;  // PCT's
  Symmetry symmetry = Symmetry::none;  // of checks, under reduction
  PortfolioShares shares = {};
};

/// Execution i of it depends on the seed and i alone.
std::unique_ptr<Strategy> make_random_strategy(const StrategyConfig& config, const NextNumber& next);

}  // namespace muster
