#include "rule/history_class.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/rng.hpp"
#include "support/property.hpp"

namespace muster {
namespace {

using Before = std::vector<std::uint64_t>;  // by operation: those that had returned when it was called

/// Columns of one to three operations; the last one of a column may be pending.
HistoryClass any_class(Rng& rng, Responses& responses) {
  HistoryClass made;
  const std::uint64_t often = rng.below(5);
  const unsigned size = 1 + static_cast<unsigned>(rng.below(5));
  std::vector<unsigned> column;
  while (column.size() < size)
    column.resize(std::min<std::size_t>(size, column.size() + 1 + rng.below(3)), static_cast<unsigned>(column.size()));
  made.size = size;
  made.called = made.returned = bit_of(size) - 1;
  for (unsigned i = 0; i < size; ++i) {
    const bool last = i + 1 == size || column[i + 1] != column[i];
    if (last && rng.below(6) == 0) {
      made.returned &= ~bit_of(i);
      made.stuck = true;
    }
    made.response[i] = made.returned & bit_of(i) ? responses.number(std::to_string(rng.below(3))) : pending;
    if ((made.returned & bit_of(i)) && rng.below(3) == 0)
      made.handles.add(i, responses.number("value " + std::to_string(rng.below(2))));
  }
  for (unsigned i = 0; i < size; ++i) {
    for (unsigned j = 0; j < size; ++j) {
      const bool same = column[i] == column[j];
      if (same && j < i) made.always_before[i] |= bit_of(j);
      if ((made.returned & bit_of(i)) && i != j && (same ? j < i : rng.below(5) < often))
        made.begun_before_end[i] |= bit_of(j);
    }
  }
  return made;
}

/// All orders of calls and returns that the class allows, returns as late as one likes.
class BruteForce {
 public:
  explicit BruteForce(const HistoryClass& classed) : class_(classed), before_(classed.size) { extend(0, 0); }
  const std::set<Before>& found() const { return found_; }

 private:
  void extend(std::uint64_t called, std::uint64_t returned) {
    if (called == class_.called && returned == class_.returned) found_.insert(before_);
    for (unsigned i = 0; i < class_.size; ++i) {
      if (!(called & bit_of(i)) && !(class_.always_before[i] & ~returned)) {
        before_[i] = returned;
        extend(called | bit_of(i), returned);
      }
      if ((called & ~returned & class_.returned & bit_of(i)) && !(class_.begun_before_end[i] & ~called))
        extend(called, returned | bit_of(i));
    }
  }

  const HistoryClass& class_;
  Before before_;
  std::set<Before> found_;
};

bool orders_less(const Before& less, const Before& more) {
  return std::equal(less.begin(), less.end(), more.begin(), [](std::uint64_t a, std::uint64_t b) { return !(a & ~b); });
}

TEST(HistoryClass, TellsAllHistoriesUpToThoseThatOrderLess) {
  Rng rng(5);
  const int rounds = test::cases(300, 5'000);
  std::size_t many = 0;
  for (int round = 0; round < rounds; ++round) {
    Responses responses;
    const HistoryClass classed = any_class(rng, responses);
    const BruteForce all(classed);
    std::set<Before> told;
    std::vector<std::uint64_t> keys;
    each_history(classed, responses, [&](const Recorded& history) {
      told.insert(Before(history.before.begin(), history.before.begin() + classed.size));
      keys.push_back(history.key(responses));
      EXPECT_TRUE(
          std::equal(history.response.begin(), history.response.begin() + classed.size, classed.response.begin()));
      EXPECT_EQ(history.returned, classed.returned);
      return true;
    });
    EXPECT_EQ(told.size(), keys.size()) << "none is told twice";
    many += keys.size() > 3;
    EXPECT_TRUE(std::includes(all.found().begin(), all.found().end(), told.begin(), told.end()));
    for (const Before& one : all.found())
      EXPECT_TRUE(std::ranges::any_of(told, [&](const Before& more) { return orders_less(one, more); }));

    std::vector<std::uint64_t> by_themselves;
    EXPECT_TRUE(add_keys(classed, responses, keys.size(), by_themselves));
    EXPECT_EQ(by_themselves, keys);
    if (!keys.empty()) {
      by_themselves.clear();
      EXPECT_FALSE(add_keys(classed, responses, keys.size() - 1, by_themselves)) << "there is one more";
      EXPECT_EQ(by_themselves.size(), keys.size() - 1);
    }
    std::ranges::sort(keys);
    EXPECT_TRUE(std::ranges::adjacent_find(keys) == keys.end()) << "keys of different histories differ";
  }
  EXPECT_GT(many, static_cast<std::size_t>(rounds) / 10);
}

TEST(HistoryClass, StopsWhereItIsToldTo) {
  Responses responses;
  HistoryClass classed;
  classed.size = 2;
  classed.called = classed.returned = 3;
  classed.response[0] = classed.response[1] = responses.number("");
  int told = 0;
  each_history(classed, responses, [&](const Recorded&) { return ++told < 1; });
  EXPECT_EQ(told, 1);
  each_history(classed, responses, [&](const Recorded&) { return ++told < 100; });
  EXPECT_EQ(told, 3) << "one operation before the other, and the other way round";
}

}  // namespace
}  // namespace muster
