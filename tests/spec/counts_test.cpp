// Multisets as numbers, and forgetting those that nobody needs any more.

#include "spec/counts.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/rng.hpp"

namespace muster {
namespace {

using Multiset = std::map<int, std::uint32_t>;

Multiset content(const Counts<int>& counts, Counts<int>::Id id) {
  Multiset all;
  counts.for_each(id, [&](int key, std::uint32_t count) { all[key] = count; });
  return all;
}

TEST(Counts, ThoseThatAreKeptHoldWhatTheyHeldAndTheOthersAreGone) {
  Rng rng{7};
  Counts<int> counts;
  std::vector<Counts<int>::Id> ids(5, counts.none);
  std::vector<Multiset> expected(ids.size());
  std::size_t most = 0;
  for (int step = 0; step < 20'000; ++step) {
    const auto at = static_cast<std::size_t>(rng.below(ids.size()));
    const int key = static_cast<int>(rng.below(40));
    const bool adds = rng.chance(1, 2) || expected[at].empty();
    if (adds) {
      ids[at] = counts.more(ids[at], key);
      ++expected[at][key];
    } else {
      const int least = counts.least(ids[at]);
      ASSERT_EQ(least, expected[at].begin()->first);
      ids[at] = counts.less(ids[at], least);
      if (--expected[at][least] == 0) expected[at].erase(least);
    }
    if (step % 500 != 0) continue;
    counts.keep(ids);
    for (std::size_t other = 0; other < ids.size(); ++other) ASSERT_EQ(content(counts, ids[other]), expected[other]);
    most = std::max(most, counts.bytes());
  }
  EXPECT_LT(most, 64'000u);
  // Equal content has equal numbers still.
  std::vector<Counts<int>::Id> same{ids[0], counts.none};
  counts.keep(same);
  Counts<int>::Id again = counts.none;
  for (const auto& [key, count] : expected[0]) {
    for (std::uint32_t i = 0; i < count; ++i) again = counts.more(again, key);
  }
  EXPECT_EQ(again, same[0]);
  EXPECT_EQ(same[1], counts.none);
}

}  // namespace
}  // namespace muster
