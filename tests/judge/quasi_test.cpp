// Quasi-linearizability: the relaxed objects and the window search, each against an oracle of its definition.

#include "judge/quasi/quasi.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "base/error.hpp"
#include "history/read.hpp"
#include "judge/core/linearizability.hpp"
#include "judge/core/parts.hpp"
#include "judge/core/search.hpp"
#include "judge/quasi/relaxed_order.hpp"
#include "judge/quasi/relaxed_queue.hpp"
#include "spec/builtin.hpp"
#include "spec/relaxed.hpp"
#include "support/brute_force.hpp"
#include "support/corpus.hpp"
#include "support/histories.hpp"
#include "support/property.hpp"
#include "support/relaxed_brute_force.hpp"
#include "support/relaxed_histories.hpp"
#include "support/window_brute_force.hpp"

namespace muster {
namespace {

unsigned smallest_by_brute_force(const History& history, const Spec& exact) {
  unsigned factor = 0;
  while (factor <= history.size() && !test::brute_force_relaxed(history, exact, factor)) ++factor;
  return factor;
}

class RelaxedObjects : public testing::TestWithParam<std::string_view> {};

SpecPtr exact_of(std::string_view name) {
  return name == "largest" ? priority_queue_spec(First::largest) : find_spec(name);
}

TEST_P(RelaxedObjects, AgreeWithTheirDefinition) {
  const SpecPtr exact = exact_of(GetParam());
  Rng rng{31};
  int passing = 0, failing = 0, relaxed_only = 0;
  const int count = test::cases(1'500, 25'000);
  for (int i = 0; i < count; ++i) {
    const auto factor = static_cast<unsigned>(rng.below(5));
    History history;
    if (rng.chance(1, 4)) {
      test::HistoryShape shape;
      shape.operations = 1 + rng.below(8);
      shape.distinct = rng.chance(3, 4);
      shape.changed = rng.chance(1, 2) ? 0 : 15;
      shape.pending = rng.chance(1, 2) ? 0 : 20;
      history = test::random_history(rng, *exact, shape);
    } else {
      history = test::random_relaxed_history(rng, *exact,
                                             {.operations = 6 + rng.below(5),
                                              .reach = rng.below(6),
                                              .pending = rng.chance(2, 3) ? 0u : 15u,
                                              .changed = rng.chance(2, 3) ? 0u : 20u,
                                              .values = rng.chance(5, 6) ? 0u : 3u,
                                              .width = 1 + rng.below(rng.chance(1, 2) ? 2 : 7)});
    }
    const bool truth = test::brute_force_relaxed(history, *exact, factor);
    const SpecPtr spec = relaxed(exact, factor);
    const auto shown = [&] { return fmt::format("{} factor {}\n{}", exact->name(), factor, to_text(history)); };
    const Verdict general = judge_linearizability(history, *spec, {.monitors = false, .explain = true});
    ASSERT_EQ(passes(general), truth) << shown();
    ASSERT_EQ(passes(judge_linearizability(history, *spec)), truth) << shown();
    if (truth) {
      ASSERT_TRUE(is_witness(history, *spec, std::get<Witness>(general).order)) << shown();
    }
    const bool linearizable = test::brute_force_linearizable(history, *exact);
    if (factor == 0) {
      ASSERT_EQ(truth, linearizable) << shown();
    }
    if (i % 8 == 0) {
      const QuasiFactors factors{{{{1}, factor}}};
      const QuasiVerdict verdict = judge_quasi(history, exact, factors);
      ASSERT_EQ(passes(verdict.verdict), truth) << shown();
      ASSERT_EQ(verdict.linearizable, linearizable) << shown();
      const unsigned smallest = smallest_by_brute_force(history, *exact);
      ASSERT_EQ(verdict.unexplainable(), smallest > history.size()) << shown();
      if (verdict.smallest) {
        ASSERT_EQ(*verdict.smallest, smallest) << shown();
      }
    }
    (truth ? passing : failing)++;
    relaxed_only += truth && !linearizable;
  }
  // All answers are common, or the comparison says little.
  EXPECT_GT(passing, count / 10);
  EXPECT_GT(failing, count / 10);
  EXPECT_GT(relaxed_only, count / 30);
}

INSTANTIATE_TEST_SUITE_P(Specs, RelaxedObjects, testing::Values("queue", "stack", "priority-queue", "largest"),
                         [](const auto& info) {
                           std::string name(info.param);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

Items items_of(const History& history) {
  const SpecPtr spec = queue_spec();
  return *collect_items(Binding(history, *spec), all_of(history)).items;
}

TEST(RelaxedQueue, OfOrderedInsertionsIsDecidedByEarliestDeadlines) {
  const SpecPtr exact = queue_spec();
  Rng rng{32};
  int passing = 0, ordered = 0;
  const int count = test::cases(2'000, 40'000);
  for (int i = 0; i < count; ++i) {
    // Insertions one after the other, removals wherever they overlap.
    HistoryBuilder build;
    const auto size = static_cast<std::int64_t>(2 + rng.below(4));
    for (std::int64_t item = 1; item <= size; ++item) {
      const Value value = Value::integer(item);
      const std::int64_t start = item * 4, end = start + 1 + static_cast<std::int64_t>(rng.below(2));
      build.interval(build.process("in"), build.method("enqueue"), std::span(&value, 1), Value(), start, end);
      const std::int64_t removed = start + static_cast<std::int64_t>(rng.below(30));
      build.interval(build.process(Value::integer(item)), build.method("dequeue"), {}, value, removed,
                     removed + 1 + static_cast<std::int64_t>(rng.below(6)));
    }
    const History history = build.finish();
    const Items items = items_of(history);
    for (unsigned factor = 0; factor < 4; ++factor) {
      const bool truth = test::brute_force_relaxed(history, *exact, factor);
      Limits limits{JudgeOptions{}};
      ASSERT_EQ(relaxed_queue_orders(items, factor, limits).has_value(), truth) << factor << "\n" << to_text(history);
      ASSERT_EQ(side_by_side(items, factor, limits).has_value(), truth) << factor << "\n" << to_text(history);
      ASSERT_TRUE(!truth || least_displacement(items).by <= factor) << to_text(history);
      passing += truth;
      ++ordered;
    }
  }
  EXPECT_GT(passing, ordered / 10);
  EXPECT_LT(passing, ordered * 9 / 10);
}

// That no order is found proves nothing, but an order that is found is one, and usually it is found.
TEST(RelaxedOrder, WhatItFindsExplainsTheItems) {
  Rng rng{36};
  int passing = 0, found = 0;
  const int count = test::cases(1'500, 30'000);
  for (int i = 0; i < count; ++i) {
    const SpecPtr exact =
        i % 3 == 0 ? stack_spec() : priority_queue_spec(i % 3 == 1 ? First::smallest : First::largest);
    const History history = test::random_relaxed_history(rng, *exact,
                                                         {.operations = 6 + rng.below(6),
                                                          .reach = rng.below(5),
                                                          .changed = rng.chance(2, 3) ? 0u : 20u,
                                                          .width = 1 + rng.below(7)});
    const auto factor = static_cast<unsigned>(1 + rng.below(3));
    const SpecPtr spec = relaxed(exact, factor);
    const Binding binding(history, *spec);
    const Collected collected = collect_items(binding, all_of(history));
    if (!collected.items || !collected.items->peeks.empty() || !collected.items->pending_removals.empty()) continue;
    if (fails_with_any_factor(binding, all_of(history))) continue;
    Limits limits{JudgeOptions{}};
    RelaxedOrder order(*collected.items, spec->family());
    passing += test::brute_force_relaxed(history, *exact, factor);
    if (!order.improve(factor, limits)) continue;
    ++found;
    ASSERT_LE(order.most(), factor);
    const std::vector<OperationId> operations = order.operations();
    const auto states = spec->states();
    std::vector<StateId> now{states->initial()}, next;
    for (std::size_t at = 0; at < operations.size(); ++at) {
      for (std::size_t later = at + 1; later < operations.size(); ++later)
        ASSERT_FALSE(history.precedes(operations[later], operations[at])) << to_text(history);
      next.clear();
      for (const StateId state : now) states->step(state, binding.call(history[operations[at]]), next);
      now = next;
    }
    ASSERT_FALSE(now.empty()) << factor << "\n" << to_text(history);
  }
  EXPECT_GT(found, passing * 9 / 10);
  EXPECT_GT(passing, count / 10);
}

/// Displaced operations, for any spec.
TEST(Window, SearchAgreesWithItsDefinition) {
  Rng rng{33};
  int passing = 0, displaced = 0;
  const int count = test::cases(1'500, 30'000);
  for (int i = 0; i < count; ++i) {
    const std::string_view names[] = {"queue", "stack", "priority-queue", "counter", "fetch-and-add", "cas-register"};
    const SpecPtr spec = find_spec(names[rng.below(6)]);
    History history;
    if (can_relax(*spec) && rng.chance(2, 3)) {
      history = test::random_relaxed_history(rng, *spec,
                                             {.operations = 4 + rng.below(3),
                                              .reach = 1 + rng.below(3),
                                              .empties = rng.chance(1, 2),
                                              .pending = rng.chance(1, 2) ? 0u : 15u,
                                              .width = 1 + rng.below(3)});
    } else {
      test::HistoryShape shape;
      shape.operations = 2 + rng.below(4);
      shape.changed = 25;
      shape.pending = rng.chance(1, 2) ? 0 : 15;
      history = test::random_history(rng, *spec, shape);
    }
    QuasiFactors factors;
    for (std::size_t method = 0; method < spec->methods().size(); ++method) {
      if (rng.chance(2, 3))
        factors.classes.push_back({{static_cast<MethodIndex>(method)}, static_cast<unsigned>(rng.below(3))});
    }
    if (rng.chance(1, 5)) factors = {{{{0, 1}, static_cast<unsigned>(rng.below(3))}}};  // one class of two methods
    const bool truth = test::brute_force_window(history, *spec, factors);
    const Binding binding(history, *spec);
    ASSERT_EQ(passes(search_window(binding, all_of(history), factors, {})), truth)
        << to_string(factors, *spec) << " of " << spec->name() << "\n"
        << to_text(history);
    const bool linearizable = test::brute_force_linearizable(history, *spec);
    ASSERT_EQ(passes(search_window(binding, all_of(history), factors.with(0), {})), linearizable) << to_text(history);
    passing += truth;
    displaced += truth && !linearizable;
  }
  EXPECT_GT(passing, count / 10);
  EXPECT_GT(displaced, count / 50);
}

/// Where nothing is left inside and nothing was found empty, a queue whose removals are displaced is the relaxed queue.
TEST(Window, AndRelaxedQueueAgreeOnDrainedQueues) {
  const SpecPtr exact = queue_spec();
  Rng rng{34};
  int passing = 0;
  const int count = test::cases(1'000, 20'000);
  for (int i = 0; i < count; ++i) {
    const History history = test::random_relaxed_history(rng, *exact,
                                                         {.operations = 5 + rng.below(4),
                                                          .reach = rng.below(5),
                                                          .empties = false,
                                                          .drained = true,
                                                          .width = 1 + rng.below(4)});
    const auto factor = static_cast<unsigned>(rng.below(3));
    const QuasiFactors factors{{{{1}, factor}}};
    const Verdict window = search_window(Binding(history, *exact), all_of(history), factors, {});
    ASSERT_EQ(passes(window), passes(judge_factors(history, exact, factors))) << factor << "\n" << to_text(history);
    passing += passes(window);
  }
  EXPECT_GT(passing, count / 10);
  EXPECT_LT(passing, count * 9 / 10);
}

QuasiVerdict judged(std::string_view text, const SpecPtr& spec, std::string_view factors) {
  return judge_quasi(parse_history(text), spec, parse_factors(factors, *spec));
}

TEST(Quasi, FactorZeroAcceptsNoNonsense) {
  EXPECT_FALSE(passes(judged("A: enq(1)\nA: -> ok\nA: deq() -> nil\nA: deq() -> 1\n", queue_spec(), "0").verdict));
  EXPECT_FALSE(passes(
      judged("A: push(1)\nA: -> ok\nA: push(2)\nA: -> ok\nA: pop() -> 1\nA: pop() -> 2\n", stack_spec(), "0").verdict));
}

constexpr std::string_view three_out_of_turn =
    "A: enq(1)\nA: -> ok\nA: enq(2)\nA: -> ok\nA: enq(3)\nA: -> ok\nA: deq() -> 2\nA: deq() -> 3\nA: deq() -> 1\n";

TEST(Quasi, TellsTheSmallestFactorAndWhoWasOvertaken) {
  const QuasiVerdict verdict = judged(three_out_of_turn, queue_spec(), "dequeue=1");
  EXPECT_FALSE(verdict.linearizable);
  EXPECT_TRUE(fails(verdict.verdict));
  EXPECT_EQ(verdict.smallest, 2u);
  ASSERT_TRUE(verdict.overtakings.overtaken);
  EXPECT_EQ(verdict.overtakings.overtaken->insert, 0u);
  EXPECT_EQ(verdict.overtakings.overtaken->removals, (std::vector<OperationId>{3, 4}));
  ASSERT_TRUE(verdict.overtakings.overtaker);
  EXPECT_EQ(verdict.overtakings.overtaker->removals, (std::vector<OperationId>{0}));
  EXPECT_TRUE(passes(judged(three_out_of_turn, queue_spec(), "2").verdict));
}

TEST(Quasi, AFactorOnInsertionsMovesThemInstead) {
  // With removals in their turn the insertions were out of theirs: 1 moves behind 2 and 3.
  EXPECT_TRUE(passes(judged(three_out_of_turn, queue_spec(), "enqueue=2").verdict));
  const QuasiVerdict verdict = judged(three_out_of_turn, queue_spec(), "enqueue=1");
  EXPECT_TRUE(fails(verdict.verdict));
  EXPECT_EQ(verdict.smallest, 2u);
  EXPECT_TRUE(passes(judged(three_out_of_turn, queue_spec(), "enqueue=1, dequeue=1").verdict));
}

TEST(Quasi, SaysWhereNoFactorHelps) {
  EXPECT_TRUE(judged("A: enq(1)\nA: -> ok\nA: deq() -> 1\nA: deq() -> 1\n", queue_spec(), "3").unexplainable());
  EXPECT_TRUE(judged("A: push(1)\nA: -> ok\nA: pop() -> nil\n", stack_spec(), "3").unexplainable());
}

TEST(Quasi, JudgesEachObjectAlone) {
  History history;
  {
    HistoryBuilder build;
    const ProcessId process = build.process("A");
    const auto call = [&](std::string_view object, std::string_view method, std::vector<Value> arguments,
                          Value result) {
      const OperationId id = build.call(process, build.method(method), arguments);
      build.set_key(id, Value::text(object));
      build.returned(id, result);
    };
    for (const std::string_view object : {"x", "y"}) {
      for (int value = 1; value <= 3; ++value) call(object, "enq", {Value::integer(value)}, Value());
    }
    for (const int value : {2, 1, 3}) call("x", "deq", {}, Value::integer(value));
    for (const int value : {3, 1, 2}) call("y", "deq", {}, Value::integer(value));
    history = build.finish();
  }
  const SpecPtr spec = queue_spec();
  const auto verdicts = judge_quasi_keys(history, spec, parse_factors("1", *spec));
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts[0].smallest, 1u);
  EXPECT_EQ(verdicts[1].smallest, 2u);
  EXPECT_TRUE(passes(verdicts[0].verdict));
  EXPECT_TRUE(fails(verdicts[1].verdict));
}

TEST(Quasi, FactorsAreReadAndRefused) {
  const SpecPtr queue = queue_spec();
  EXPECT_EQ(to_string(parse_factors("enq=0, deq=2", *queue), *queue), "enqueue=0, dequeue=2");
  EXPECT_EQ(to_string(parse_factors("3", *queue), *queue), "dequeue=3");
  EXPECT_EQ(to_string(parse_factors("1", *counter_spec()), *counter_spec()).find("=1"), 4u);
  for (const std::string_view bad : {"", "x", "deq=", "deq=-1", "steal=2", "deq=1,deq=2", "deq=1,2", "deq=99999999"})
    EXPECT_THROW(parse_factors(bad, *queue), Error) << bad;
}

/// The logs of relaxed queues: each has a smallest factor, in the numbers found by brute force when they were
/// collected.
TEST(Quasi, SmallestFactorsOfRecordedRelaxedQueues) {
  MUSTER_CORPUS_OR_SKIP(data);
  const std::map<std::string, std::map<unsigned, int>> expected{{"bkq", {{0, 27}, {1, 14}, {2, 3}, {3, 4}, {4, 2}}},
                                                                {"ukq", {{0, 28}, {1, 14}, {2, 7}, {4, 1}}},
                                                                {"dq", {{0, 33}, {1, 15}, {2, 2}}},
                                                                {"rdq", {{0, 41}, {1, 9}}},
                                                                {"msq", {{0, 50}}},
                                                                {"lbq", {{0, 50}}}};
  for (const auto& [name, counts] : expected) {
    std::map<unsigned, int> found;
    for (const auto& entry :
         std::filesystem::directory_iterator(data / "histories/limo/generated/small" / ("ScalObject-" + name))) {
      History history = read_history(entry.path().string());
      const SpecPtr spec = spec_for(history);
      const QuasiVerdict verdict = judge_quasi(history, spec, parse_factors("0", *spec));
      ASSERT_TRUE(verdict.smallest) << entry.path();
      ++found[*verdict.smallest];
    }
    EXPECT_EQ(found, counts) << name;
  }
}

}  // namespace
}  // namespace muster
