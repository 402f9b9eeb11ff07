#include "rule/observation_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "base/rng.hpp"
#include "rule/history_class.hpp"
#include "support/property.hpp"

namespace muster {
namespace {

/// Calls `visit` with every order of the columns' operations that keeps each column's own.
void for_each_order(const Test& test, const std::function<void(const std::vector<std::uint8_t>&)>& visit) {
  const auto operations = operations_of(test);
  std::vector<std::uint8_t> order;
  std::vector<bool> used(operations.size(), false);
  const std::function<void()> extend = [&] {
    if (order.size() == operations.size()) return visit(order);
    for (std::size_t i = 0; i < operations.size(); ++i) {
      if (used[i]) continue;
      const bool first_of_column = std::none_of(
          operations.begin(), operations.begin() + static_cast<std::ptrdiff_t>(i), [&](const TestOperation& o) {
            return o.column == operations[i].column && !used[static_cast<std::size_t>(&o - operations.data())];
          });
      if (!first_of_column) continue;
      used[i] = true;
      order.push_back(static_cast<std::uint8_t>(i));
      extend();
      order.pop_back();
      used[i] = false;
    }
  };
  extend();
}

/// A counter: even invocations increment, odd ones read.
std::vector<ResponseId> answers(const Test& test, const std::vector<std::uint8_t>& order, Responses& responses) {
  const auto operations = operations_of(test);
  std::vector<ResponseId> result(operations.size(), absent);
  int count = 0;
  for (const std::uint8_t i : order) {
    if (operations[i].invocation % 2 == 0) ++count;
    result[i] = responses.number(operations[i].invocation % 2 == 0 ? "" : std::to_string(count));
  }
  return result;
}

/// A random interleaving of calls and returns, with random answers to the reads.
Recorded random_history(const Test& test, Responses& responses, Rng& rng) {
  const auto operations = operations_of(test);
  Recorded history;
  history.begin(static_cast<unsigned>(operations.size()));
  std::vector<std::size_t> next(test.columns.size(), 0);
  std::vector<bool> inside(test.columns.size(), false);
  std::vector<unsigned> begin;
  unsigned at = 0;
  for (const Sequence& column : test.columns) {
    begin.push_back(at);
    at += static_cast<unsigned>(column.size());
  }
  for (;;) {
    std::vector<std::size_t> able;
    for (std::size_t c = 0; c < test.columns.size(); ++c) {
      if (next[c] < test.columns[c].size()) able.push_back(c);
    }
    if (able.empty()) return history;
    const std::size_t c = able[rng.below(able.size())];
    const unsigned operation = begin[c] + static_cast<unsigned>(next[c]);
    if (!inside[c]) {
      history.call(operation);
    } else {
      const bool reads = operations[operation].invocation % 2 != 0;
      history.ret(operation, responses.number(reads ? std::to_string(rng.below(4)) : ""));
      ++next[c];
    }
    inside[c] = !inside[c];
  }
}

Test random_test(Rng& rng) {
  Test test;
  const std::size_t columns = 2 + rng.below(2);
  for (std::size_t c = 0; c < columns; ++c) {
    test.columns.emplace_back();
    const std::size_t rows = 1 + rng.below(3);
    for (std::size_t r = 0; r < rows; ++r) test.columns.back().push_back(static_cast<Invocation>(rng.below(2)));
  }
  return test;
}

TEST(ObservationSet, FindsAWitnessWhenTheDefinitionHasOne) {
  Rng rng(1);
  int explained = 0;
  const int rounds = muster::test::cases(60, 2'000);
  for (int round = 0; round < rounds; ++round) {
    const muster::Test test = random_test(rng);
    Responses responses;
    ObservationSet observed(test, responses);
    for_each_order(test, [&](const auto& order) {
      EXPECT_FALSE(observed.add({order, answers(test, order, responses), 0, false}));
    });
    for (int i = 0; i < 20; ++i) {
      const Recorded history = random_history(test, responses, rng);
      bool expected = false;
      for_each_order(test, [&](const auto& order) {
        const auto answer = answers(test, order, responses);
        bool witness = std::equal(answer.begin(), answer.end(), history.response.begin());
        std::uint64_t placed = 0;
        for (const std::uint8_t operation : order) {
          witness &= (history.before[operation] & ~placed) == 0;
          placed |= std::uint64_t{1} << operation;
        }
        expected |= witness;
      });
      EXPECT_EQ(observed.explains(history), expected);
      EXPECT_EQ(observed.explains_classic(history), expected);
      explained += expected;
    }
  }
  EXPECT_GT(explained, rounds / 4);
}

/// A class that needs no execution: which operations begin before which end is drawn, the answers are those of a serial
/// order.
HistoryClass random_class(const Test& test, Responses& responses, Rng& rng) {
  const auto operations = operations_of(test);
  HistoryClass made;
  made.size = static_cast<unsigned>(operations.size());
  made.called = made.returned = (std::uint64_t{1} << made.size) - 1;
  const std::uint64_t often = 1 + rng.below(4);
  for (unsigned i = 0; i < made.size; ++i) {
    for (unsigned j = 0; j < made.size; ++j) {
      const bool same = operations[i].column == operations[j].column;
      if (same && j < i) made.always_before[i] |= bit_of(j);
      if (same ? j < i : rng.below(5) < often) made.begun_before_end[i] |= bit_of(j);
    }
  }
  std::uint64_t orders = 0;
  for_each_order(test, [&](const auto& order) {
    if (rng.below(++orders) > 0) return;
    const auto answer = answers(test, order, responses);
    std::copy(answer.begin(), answer.end(), made.response.begin());
  });
  return made;
}

TEST(ObservationSet, AWitnessOfTheStrictestOrderIsOneForEveryHistoryOfTheClass) {
  Rng rng(2);
  int at_once = 0, one_by_one = 0;
  const int rounds = muster::test::cases(60, 2'000);
  for (int round = 0; round < rounds; ++round) {
    const muster::Test test = random_test(rng);
    Responses responses;
    ObservationSet observed(test, responses);
    for_each_order(test, [&](const auto& order) { observed.add({order, answers(test, order, responses), 0, false}); });
    for (int i = 0; i < 20; ++i) {
      const HistoryClass classed = random_class(test, responses, rng);
      const bool all = observed.explains(classed.strictest());
      (all ? at_once : one_by_one) += 1;
      each_history(classed, responses, [&](const Recorded& history) {
        // Without what the set remembers of histories before: each order is looked at.
        bool expected = false;
        observed.each_order(history, [&](const SerialHistory& serial) {
          expected |= std::equal(serial.response.begin(), serial.response.end(), history.response.begin());
          return true;
        });
        EXPECT_EQ(observed.explains(history), expected);
        EXPECT_TRUE(expected || !all);
        return true;
      });
    }
  }
  EXPECT_GT(at_once, rounds);
  EXPECT_GT(one_by_one, rounds);
}

TEST(ObservationSet, TellsWhatIsNondeterministic) {
  const muster::Test test{{}, {{1}, {0}}, {}};
  Responses responses;
  ObservationSet observed(test, responses);
  const ResponseId ok = responses.number(""), one = responses.number("1"), two = responses.number("2");
  EXPECT_FALSE(observed.add({{1, 0}, {one, ok}, 0, false}));
  EXPECT_FALSE(observed.add({{1, 0}, {one, ok}, 0, false})) << "the same history again";
  EXPECT_TRUE(observed.add({{1, 0}, {two, ok}, 0, false})) << "another answer after the same calls";
  EXPECT_TRUE(observed.add({{1, 0}, {pending, ok}, 0, true})) << "an answer and a block after the same calls";
  EXPECT_EQ(observed.full(), 1u);
}

TEST(ObservationSet, AStuckOperationNeedsAStuckWitnessAfterTheSameOperations) {
  const muster::Test test{{}, {{0}, {1}}, {}};
  Responses responses;
  ObservationSet observed(test, responses);
  const ResponseId ok = responses.number("");
  EXPECT_FALSE(observed.add({{1}, {absent, pending}, 0, true}));
  EXPECT_FALSE(observed.add({{0, 1}, {ok, ok}, 0, false}));
  Recorded alone;
  alone.begin(2);
  alone.call(1);
  EXPECT_TRUE(observed.explains_stuck(alone, 1));
  Recorded after;
  after.begin(2);
  after.call(1);
  after.call(0);
  after.ret(0, ok);
  EXPECT_FALSE(observed.explains_stuck(after, 1));
  EXPECT_TRUE(observed.explains_classic(after));
}

TEST(ObservationSet, AnExcuseNeedsInterference) {
  const muster::Test test{{}, {{0}, {1}}, {}};
  Responses responses;
  ObservationSet observed(test, responses);
  const ResponseId ok = responses.number(""), zero = responses.number("0"), one = responses.number("1");
  EXPECT_FALSE(observed.add({{0, 1}, {ok, one}, 0, false}));
  const ResponseId declared = responses.any_of({"0", "2"});
  EXPECT_FALSE(observed.add({{0, 1}, {ok, declared}, 2, false})) << "exempt from the test of determinism";
  Recorded apart;
  apart.begin(2);
  apart.call(0);
  apart.ret(0, ok);
  apart.call(1);
  apart.ret(1, zero);
  EXPECT_FALSE(observed.explains(apart));
  Recorded together;
  together.begin(2);
  together.call(1);
  together.call(0);
  together.ret(0, ok);
  together.ret(1, zero);
  EXPECT_TRUE(observed.explains(together));
  together.response[1] = responses.number("2");
  EXPECT_TRUE(observed.explains(together));
  together.response[1] = responses.number("3");
  EXPECT_FALSE(observed.explains(together)) << "that is not declared";
  together.response[1] = responses.number("0 or 2");
  EXPECT_FALSE(observed.explains(together)) << "a text that looks like several answers is one";
}

}  // namespace
}  // namespace muster
