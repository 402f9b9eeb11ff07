#include "judge/core/explain.hpp"

#include <gtest/gtest.h>

#include "spec/builtin.hpp"
#include "support/brute_force.hpp"
#include "support/histories.hpp"
#include "support/property.hpp"

namespace muster {
namespace {

TEST(Explain, ACoreFailsAndNothingSmallerOfItsKindDoes) {
  const SpecPtr specs[] = {queue_spec(), stack_spec(), priority_queue_spec(), register_spec(), cas_register_spec()};
  Rng rng{30};
  int failing = 0;
  const int count = test::cases(3'000, 30'000);
  for (int i = 0; i < count; ++i) {
    const Spec& spec = *specs[rng.below(std::size(specs))];
    test::HistoryShape shape;
    shape.operations = 2 + rng.below(8);
    shape.distinct = rng.chance(1, 2);
    const History history = test::random_history(rng, spec, shape);
    const Verdict verdict = judge_linearizability(history, spec);
    if (!fails(verdict)) continue;
    ++failing;
    const auto core = find_core(history, spec, std::get<Counterexample>(verdict));
    ASSERT_TRUE(core && core->irreducible);
    const History part = core_history(history, *core);
    ASSERT_FALSE(test::brute_force_linearizable(part, spec)) << to_text(history) << "core\n" << to_text(part);
    // Its last return is what fails.
    ASSERT_EQ(history[core->misfit].ret, core->cut);
    Core earlier = *core;
    --earlier.cut;
    ASSERT_TRUE(test::brute_force_linearizable(core_history(history, earlier), spec)) << to_text(part);
    // Without any one operation that only looks it passes.
    const Binding binding(history, spec);
    for (std::size_t at = 0; at < core->operations.size(); ++at) {
      if (!binding.never_changes(history[core->operations[at]])) continue;
      Core smaller = *core;
      smaller.operations.erase(smaller.operations.begin() + static_cast<std::ptrdiff_t>(at));
      if (spec.family() == Family::reg && history[core->operations[at]].result != spec.initial_value()) continue;
      if (spec.family() != Family::other && spec.family() != Family::reg &&
          !history[core->operations[at]].result.is_nil())
        continue;
      ASSERT_TRUE(test::brute_force_linearizable(core_history(history, smaller), spec)) << to_text(part);
    }
  }
  EXPECT_GT(failing, count / 20);
}

TEST(Explain, OneValueOfManyIsLeft) {
  std::string text;
  for (int i = 0; i < 50; ++i)
    text += "A: enq(" + std::to_string(i) + ") -> ok\nA: deq() -> " + std::to_string(i) + "\n";
  text += "A: enq(100) -> ok\nB: deq() -> empty\nA: enq(101) -> ok\n";
  const History history = parse_history(text);
  const auto core =
      find_core(history, *queue_spec(), std::get<Counterexample>(judge_linearizability(history, *queue_spec())));
  ASSERT_TRUE(core);
  EXPECT_EQ(to_text(core_history(history, *core)), "A: enq(100) -> ok\nB: deq() -> nil\n");
}

TEST(Explain, TheSmallestSkewIsTheDistanceToTheStaleRead) {
  HistoryBuilder build;
  const Value one = Value::integer(1);
  build.interval(build.process("a"), build.method("write"), std::span(&one, 1), Value(), 0, 10);
  build.interval(build.process("b"), build.method("read"), {}, Value::integer(0), 17, 20);
  const History history = build.finish();
  EXPECT_EQ(smallest_skew(history, *register_spec()), 7);
  EXPECT_TRUE(fails(judge_linearizability(with_skew(history, 6), *register_spec())));
  EXPECT_TRUE(passes(judge_linearizability(with_skew(history, 7), *register_spec())));
}

}  // namespace
}  // namespace muster
