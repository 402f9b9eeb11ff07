#include "search/strategy_config.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "schedule/mixed_strategy.hpp"
#include "schedule/surw_strategy.hpp"

namespace muster {
namespace {

struct NamedStrategy {
  const char* name;
  StrategyKind kind;
};

constexpr NamedStrategy strategies[] = {
    {"portfolio", StrategyKind::portfolio}, {"dfs", StrategyKind::depth_first}, {"dpor", StrategyKind::reduction},
    {"random", StrategyKind::random},       {"pct", StrategyKind::pct},         {"pos", StrategyKind::pos},
    {"surw", StrategyKind::surw},           {"predict", StrategyKind::predict},
};

}  // namespace

const char* name(StrategyKind kind) { return std::ranges::find(strategies, kind, &NamedStrategy::kind)->name; }

std::vector<std::string> strategy_names() {
  std::vector<std::string> names;
  for (const NamedStrategy& strategy : strategies) names.emplace_back(strategy.name);
  return names;
}

StrategyKind strategy_of(std::string_view name) {
  const auto* found = std::ranges::find(strategies, name, &NamedStrategy::name);
  if (found == std::end(strategies)) fail("there is no strategy {}", name);
  return found->kind;
}

std::unique_ptr<Strategy> make_random_strategy(const StrategyConfig& config, const NextNumber& next) {
  switch (config.kind) {
    case StrategyKind::pct:
      return std::make_unique<PctStrategy>(config.seed, next, config.depth);
    case StrategyKind::pos:
      return std::make_unique<PosStrategy>(config.seed, next);
    case StrategyKind::portfolio:
      return std::make_unique<MixedStrategy>(config.seed, next, config.depth);
    case StrategyKind::surw:
      return std::make_unique<SurwStrategy>(config.seed, next);
    default:
      return std::make_unique<RandomWalkStrategy>(config.seed, next);
  }
}

}  // namespace muster
