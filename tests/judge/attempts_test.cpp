#include "judge/core/attempts.hpp"

#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "judge/core/linearizability.hpp"
#include "spec/builtin.hpp"

namespace muster {
namespace {

/// Whether the spec allows `order`, and whether it allows `next` behind it.
std::pair<bool, bool> allowed(const History& history, const Spec& spec, const AttemptedOrder& attempt) {
  const Binding binding(history, spec);
  const auto states = spec.states();
  std::vector<StateId> now{states->initial()};
  const auto step = [&](OperationId id) {
    std::vector<StateId> next;
    for (const StateId state : now) states->step(state, binding.call(history[id]), next);
    now = std::move(next);
    return !now.empty();
  };
  for (const OperationId id : attempt.order) {
    if (!step(id)) return {false, false};
  }
  return {true, step(attempt.refused)};
}

/// A few processes that put in and take out what they like: most such histories have no explanation.
History random_history(Rng& rng) {
  HistoryBuilder build("random");
  const MethodId enqueue = build.method("enqueue"), dequeue = build.method("dequeue");
  std::vector<std::pair<OperationId, bool>> open;
  for (int i = 0; i < 6; ++i) {
    const bool puts = rng.below(2) == 0;
    const ProcessId process = build.process(std::string(1, static_cast<char>('A' + i)));
    const OperationId id = puts ? build.call(process, enqueue, {Value::integer(i)}) : build.call(process, dequeue, {});
    open.emplace_back(id, puts);
    if (rng.below(2) == 0) {
      for (const auto& [done, put] : open)
        build.returned(done, put ? Value() : Value::integer(static_cast<std::int64_t>(rng.below(6))));
      open.clear();
    }
  }
  for (const auto& [done, put] : open)
    build.returned(done, put ? Value() : Value::integer(static_cast<std::int64_t>(rng.below(6))));
  return build.finish();
}

TEST(Attempts, GoAsFarAsTheSpecAllowsAndNoFurther) {
  const SpecPtr spec = queue_spec();
  Rng rng(7);
  unsigned failing = 0;
  for (int i = 0; i < 300; ++i) {
    const History history = random_history(rng);
    const auto attempts = attempted_orders(history, *spec, 50);
    if (passes(judge_linearizability(history, *spec))) {
      EXPECT_TRUE(attempts.empty());
      continue;
    }
    ++failing;
    ASSERT_FALSE(attempts.empty()) << to_text(history);
    for (const AttemptedOrder& attempt : attempts) {
      EXPECT_EQ(allowed(history, *spec, attempt), std::pair(true, false)) << to_text(history);
      for (std::size_t at = 0; at < attempt.order.size(); ++at) {
        for (std::size_t later = at + 1; later < attempt.order.size(); ++later)
          EXPECT_FALSE(history.precedes(attempt.order[later], attempt.order[at])) << to_text(history);
      }
    }
  }
  EXPECT_GT(failing, 100u);
}

TEST(Attempts, TheLongestComesFirst) {
  const History history = parse_history(
      "A: enqueue(1)\nA: -> ok\n"
      "A: enqueue(2)\nA: -> ok\n"
      "B: dequeue() -> 2\n");
  const auto attempts = attempted_orders(history, *queue_spec(), 5);
  ASSERT_EQ(attempts.size(), 1u);
  EXPECT_EQ(attempts[0].order, (std::vector<OperationId>{0, 1}));
  EXPECT_EQ(attempts[0].refused, 2u);
}

}  // namespace
}  // namespace muster
