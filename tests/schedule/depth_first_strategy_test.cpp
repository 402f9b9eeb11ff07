// The search is run against a toy program, a fixed tree of points, and compared with counting the tree directly.

#include "schedule/depth_first_strategy.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "base/rng.hpp"
#include "schedule/random_strategies.hpp"

namespace muster {
namespace {

/// A point's shape depends on the choices before it alone, as in a deterministic program.
struct ToyPoint {
  std::uint8_t count;
  Cost cost;
};

ToyPoint point_after(const std::vector<int>& path) {
  std::uint64_t hash = 7;
  for (const int choice : path) hash = hash * 31 + static_cast<std::uint64_t>(choice) + 1;
  Rng rng{hash};
  return {static_cast<std::uint8_t>(2 + rng.below(2)), static_cast<Cost>(rng.below(3))};
}

constexpr std::size_t depth = 7;

/// Runs one execution under a strategy: replays the schedule's prefix, then asks.
std::vector<int> execute(Strategy& strategy, Schedule& schedule) {
  std::vector<int> path;
  const std::uint32_t replayed = schedule.size();
  while (path.size() < depth) {
    const ToyPoint point = point_after(path);
    if (path.size() < replayed) {
      const Decision& d = schedule[static_cast<std::uint32_t>(path.size())];
      EXPECT_EQ(d.count, point.count);
      EXPECT_EQ(d.cost, point.cost);
      path.push_back(d.index);
      continue;
    }
    const Option options[3] = {0, 1, 2};
    const std::uint8_t index = strategy.decide({PointKind::value, point.cost, 0, {options, point.count}, nullptr});
    schedule.push({PointKind::value, point.cost, index, point.count, point.count, 0, false, Symmetry::none, 1});
    path.push_back(index);
  }
  return path;
}

void count_tree(std::vector<int>& path, int preemptions, int late, const DepthFirstBounds& bounds,
                std::set<std::vector<int>>& all) {
  if (path.size() == depth) {
    all.insert(path);
    return;
  }
  const ToyPoint point = point_after(path);
  for (int i = 0; i < point.count; ++i) {
    const int p = preemptions + (i > 0 && point.cost == Cost::preemption),
              l = late + (i > 0 && point.cost == Cost::late_yield);
    if (p > static_cast<int>(bounds.preemptions) || l > static_cast<int>(bounds.late_yields)) continue;
    path.push_back(i);
    count_tree(path, p, l, bounds, all);
    path.pop_back();
  }
}

class Bounds : public testing::TestWithParam<std::pair<unsigned, unsigned>> {};

TEST_P(Bounds, EveryAffordableScheduleIsRunOnce) {
  const DepthFirstBounds bounds{GetParam().first, GetParam().second};
  std::set<std::vector<int>> expected;
  std::vector<int> path;
  count_tree(path, 0, 0, bounds, expected);
  auto schedule = std::make_unique<Schedule>();
  DepthFirstStrategy strategy(bounds);
  std::set<std::vector<int>> seen;
  while (strategy.begin_execution(*schedule))
    EXPECT_TRUE(seen.insert(execute(strategy, *schedule)).second) << "run twice";
  EXPECT_EQ(seen, expected);
}

TEST_P(Bounds, WorkThatIsGivenAwayIsRunOnceToo) {
  const DepthFirstBounds bounds{GetParam().first, GetParam().second};
  std::set<std::vector<int>> expected, seen;
  std::vector<int> path;
  count_tree(path, 0, 0, bounds, expected);
  std::vector<std::vector<Decision>> jobs{{}};
  Rng rng{5};
  auto schedule = std::make_unique<Schedule>();
  while (!jobs.empty()) {
    const auto job = jobs.back();
    jobs.pop_back();
    schedule->assign(job);
    DepthFirstStrategy strategy(
        bounds, job.empty() ? DepthFirstStrategy::Start::at_root : DepthFirstStrategy::Start::with_schedule);
    while (strategy.begin_execution(*schedule)) {
      EXPECT_TRUE(seen.insert(execute(strategy, *schedule)).second) << "run twice";
      if (rng.chance(1, 3)) {
        if (auto given = strategy.split(*schedule)) jobs.push_back(std::move(*given));
      }
    }
  }
  EXPECT_EQ(seen, expected);
}

INSTANTIATE_TEST_SUITE_P(All, Bounds,
                         testing::Values(std::pair(0u, 0u), std::pair(1u, 0u), std::pair(2u, 1u),
                                         std::pair(100u, 100u)));

TEST(DepthFirst, SaysWhetherABoundLeftSomethingOut) {
  auto schedule = std::make_unique<Schedule>();
  DepthFirstStrategy bounded({.preemptions = 0, .late_yields = 0});
  while (bounded.begin_execution(*schedule)) execute(bounded, *schedule);
  EXPECT_TRUE(bounded.left_out().preemptions);
  DepthFirstStrategy unbounded({.preemptions = 100, .late_yields = 100});
  while (unbounded.begin_execution(*schedule)) execute(unbounded, *schedule);
  EXPECT_FALSE(unbounded.left_out().preemptions);
  EXPECT_FALSE(unbounded.left_out().late_yields);
}

TEST(RandomWalk, TheSameSeedGivesTheSameExecutions) {
  const auto run = [](std::uint64_t seed) {
    std::uint64_t number = 0;
    RandomWalkStrategy strategy(
        seed, [&]() -> std::optional<std::uint64_t> { return number < 20 ? std::optional(number++) : std::nullopt; });
    auto schedule = std::make_unique<Schedule>();
    std::vector<std::vector<int>> paths;
    while (strategy.begin_execution(*schedule)) paths.push_back(execute(strategy, *schedule));
    return paths;
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

}  // namespace
}  // namespace muster
