#include "schedule/schedule.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/rng.hpp"

namespace muster {
namespace {

std::vector<Decision> random_decisions(Rng& rng) {
  std::vector<Decision> decisions(rng.below(200));
  for (Decision& d : decisions) {
    d = {};
    d.kind = static_cast<PointKind>(rng.below(6));
    d.cost = static_cast<Cost>(rng.below(3));
    d.count = static_cast<std::uint8_t>(2 + rng.below(rng.chance(1, 10) ? 59 : 3));
    d.index = static_cast<std::uint8_t>(rng.chance(1, 4) ? rng.below(d.count) : 0);
  }
  return decisions;
}

TEST(Schedule, PrintsAndParsesBack) {
  Rng rng{3};
  for (int i = 0; i < 1000; ++i) {
    const auto decisions = random_decisions(rng);
    const auto again = parse_schedule(to_string(decisions));
    ASSERT_EQ(again.size(), decisions.size());
    for (std::size_t k = 0; k < decisions.size(); ++k) {
      EXPECT_EQ(again[k].kind, decisions[k].kind);
      EXPECT_EQ(again[k].cost, decisions[k].cost);
      EXPECT_EQ(again[k].count, decisions[k].count);
      EXPECT_EQ(again[k].index, decisions[k].index);
    }
  }
}

TEST(Schedule, RepeatedDecisionsPrintAsACount) {
  std::vector<Decision> decisions(12, Decision{PointKind::thread, Cost::preemption, 0, 2, 2, 0});
  EXPECT_EQ(to_string(decisions).substr(0, 10), "1-tp20.12.");
}

TEST(Schedule, SaysWhichValuesThereWere) {
  std::vector<Decision> decisions(2, Decision{PointKind::message, Cost::free, 1, 2, 2, 0});
  EXPECT_TRUE(to_string(decisions).starts_with("1-mf21"));
  EXPECT_EQ(parse_schedule(to_string(decisions)).back().memory_model, MemoryModel::sc);
  for (Decision& decision : decisions) decision.memory_model = MemoryModel::c11;
  EXPECT_TRUE(to_string(decisions).starts_with("1w-mf21"));
  EXPECT_EQ(parse_schedule(to_string(decisions)).back().memory_model, MemoryModel::c11);
}

TEST(Schedule, DamageIsNoticed) {
  std::vector<Decision> decisions(3, Decision{PointKind::thread, Cost::preemption, 1, 2, 2, 0});
  const std::string text = to_string(decisions);
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] = damaged[i] == 'x' ? 'y' : 'x';
    EXPECT_THROW(parse_schedule(damaged), Error) << damaged;
    EXPECT_THROW(parse_schedule(text.substr(0, i)), Error) << text.substr(0, i);
  }
}

TEST(Schedule, AnEmptyOneIsFine) { EXPECT_TRUE(parse_schedule(to_string({})).empty()); }

}  // namespace
}  // namespace muster
