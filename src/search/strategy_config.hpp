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

/// `predict` is for checks alone: it follows what a recorded execution lets expect.
enum class StrategyKind : std::uint8_t { depth_first, random, pct, pos, reduction, predict };

/// As the command line calls it.
const char* name(StrategyKind kind);
std::vector<std::string> strategy_names();
/// Of one of these names.
StrategyKind strategy_of(std::string_view name);
/// Whether it draws executions: then nothing is exhausted.
constexpr bool is_random(StrategyKind kind) {
  return kind == StrategyKind::random || kind == StrategyKind::pct || kind == StrategyKind::pos;
}

struct StrategyConfig {
  StrategyKind kind = StrategyKind::depth_first;
  unsigned preemptions = 2;  // the last bound; DepthFirstBounds::unbounded for none
  unsigned late_yields = 1;
  std::uint64_t seed = 1;
  std::uint64_t executions = 10'000;   // of a random search
  unsigned depth = 3;                  // PCT's
  Symmetry symmetry = Symmetry::none;  // of checks, under reduction
};

/// Execution i of it depends on the seed and i alone.
std::unique_ptr<Strategy> make_random_strategy(const StrategyConfig& config, const NextNumber& next);

}  // namespace muster
