// Partial orders as intervals: compared with all orders of the operations.
#include "rule/interval_orders.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "base/rng.hpp"

namespace muster {
namespace {

using Order = std::vector<unsigned>;

/// An order that is kept by one of all serial orders is random: pairs that go up in some permutation.
Recorded random_history(Rng& rng, unsigned size) {
  Recorded history;
  history.begin(size);
  Order line(size);
  std::iota(line.begin(), line.end(), 0u);
  for (unsigned i = size; i > 1; --i) std::swap(line[i - 1], line[rng.below(i)]);
  for (const unsigned operation : line) history.call(operation);
  for (const unsigned operation : line) {
    if (rng.below(5) > 0) history.ret(operation, 2 + operation);
  }
  history.partial = true;
  for (unsigned later = 0; later < size; ++later) {
    history.before[line[later]] = 0;
    for (unsigned earlier = 0; earlier < later; ++earlier) {
      if ((history.returned >> line[earlier] & 1) == 0 || rng.below(3) > 0) continue;
      history.before[line[later]] |= bit_of(line[earlier]) | history.before[line[earlier]];
    }
  }
  return history;
}

bool keeps(const Order& order, const Recorded& history) {
  std::uint64_t done = 0;
  for (const unsigned operation : order) {
    if (history.before[operation] & ~done) return false;
    done |= bit_of(operation);
  }
  return true;
}

std::set<Order> orders_of(const Recorded& history, unsigned size) {
  Order order(size);
  std::iota(order.begin(), order.end(), 0u);
  std::set<Order> kept;
  do {
    if (keeps(order, history)) kept.insert(order);
  } while (std::ranges::next_permutation(order).found);
  return kept;
}

/// `before` as the marks have it.
bool is_of_intervals(const Recorded& history) {
  Recorded again;
  again.begin(history.size);
  for (unsigned i = 0; i < history.mark_count; ++i) {
    const auto [operation, is_return] = history.marks[i];
    if (is_return)
      again.ret(operation, history.response[operation]);
    else
      again.call(operation);
  }
  for (unsigned i = 0; i < history.size; ++i) {
    if (again.before[i] != history.before[i]) return false;
  }
  return again.called == history.called && again.returned == history.returned;
}

TEST(IntervalOrders, HaveTogetherTheOrdersOfTheirPartialOrder) {
  Rng rng{17};
  for (int run = 0; run < 300; ++run) {
    const unsigned size = 2 + static_cast<unsigned>(rng.below(5));
    const Recorded history = random_history(rng, size);
    std::set<Order> together;
    std::vector<std::vector<std::uint64_t>> told;
    bool first = true;
    ASSERT_TRUE(each_interval_order(history, 100'000, [&](const Recorded& intervals) {
      EXPECT_FALSE(intervals.partial);
      for (unsigned i = 0; i < size; ++i) EXPECT_EQ(history.before[i] & ~intervals.before[i], 0u);
      if (std::exchange(first, false)) return true;  // the order in time, in which `random_history` calls all at once
      EXPECT_TRUE(is_of_intervals(intervals));
      const std::set<Order> orders = orders_of(intervals, size);
      together.insert(orders.begin(), orders.end());
      std::vector<std::uint64_t> before(intervals.before.begin(), intervals.before.begin() + size);
      EXPECT_EQ(std::ranges::count(told, before), 0);
      told.push_back(before);
      return true;
    }));
    EXPECT_EQ(together, orders_of(history, size));
  }
}

TEST(IntervalOrders, EndAtTheLimit) {
  // a before b, c before d: intervals order a before d as well, or c before b.
  Recorded history;
  history.begin(4);
  for (unsigned i = 0; i < 4; ++i) history.call(i);
  for (unsigned i = 0; i < 4; ++i) history.ret(i, 2);
  history.before = {};
  history.before[1] = bit_of(0);
  history.before[3] = bit_of(2);
  history.partial = true;
  unsigned told = 0;
  const auto count = [&](const Recorded&) { return ++told > 0; };
  EXPECT_TRUE(each_interval_order(history, 2, count));
  EXPECT_EQ(told, 3u);  // with the order in time
  EXPECT_FALSE(each_interval_order(history, 1, count));
}

}  // namespace
}  // namespace muster
