#include "base/key_table.hpp"

#include <gtest/gtest.h>

#include <unordered_map>

#include "base/rng.hpp"

namespace muster {
namespace {

TEST(KeyTable, KnowsWhatAMapKnows) {
  Rng rng(3);
  KeySet set;
  KeyMemo memo;
  std::unordered_map<std::uint64_t, std::uint64_t> known{};
  std::uint64_t worked_out = 0;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    // Keys that meet at the same places, 0 aside: it stands for the same key as 1, as the hash of anything may.
    const std::uint64_t key = (rng.below(3'000) + 1) * (rng.below(2) == 0 ? 1 : 4096);
    const bool fresh = known.emplace(key, key * 3 + i).second;
    EXPECT_EQ(memo.find(key) == nullptr, fresh);
    EXPECT_EQ(set.insert(key), fresh);
    EXPECT_EQ(memo.get(key, [&] { return ++worked_out, key * 3 + i; }), known[key]);
    EXPECT_EQ(*memo.find(key), known[key]);
  }
  EXPECT_EQ(worked_out, known.size());
  EXPECT_TRUE(KeySet().insert(0));
  EXPECT_EQ(KeyMemo().find(0), nullptr);
}

}  // namespace
}  // namespace muster
