#include "base/rng.hpp"

#include <gtest/gtest.h>

#include <array>

namespace muster {

TEST(Rng, TheSameSeedGivesTheSameNumbers) {
  Rng a{7}, b{7}, c{8};
  const auto first = a.next();
  EXPECT_EQ(first, b.next());
  EXPECT_NE(first, c.next());
}

TEST(Rng, BelowReachesEveryValue) {
  Rng rng{1};
  std::array<int, 5> seen{};
  for (int i = 0; i < 1000; ++i) ++seen.at(rng.below(5));
  for (const int count : seen) EXPECT_GT(count, 100);  // 200 expected; 100 is 8 standard deviations away
}

}  // namespace muster
