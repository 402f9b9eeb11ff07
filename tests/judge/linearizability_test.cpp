#include "judge/core/linearizability.hpp"

#include <gtest/gtest.h>

#include "spec/builtin.hpp"

namespace muster {
namespace {

bool linearizable(std::string_view text, const SpecPtr& spec) {
  const History history = parse_history(text);
  const Verdict chosen = judge_linearizability(history, *spec);
  const Verdict general = judge_linearizability(history, *spec, {.monitors = false, .explain = true});
  EXPECT_EQ(passes(chosen), passes(general)) << text;
  EXPECT_FALSE(is_undecided(chosen));
  if (passes(general)) {
    EXPECT_TRUE(is_witness(history, *spec, std::get<Witness>(general).order)) << text;
  }
  return passes(chosen);
}

TEST(Linearizability, APendingPushMayExplainAPop) {
  const History history = parse_history(
      "A: push(1)\n"
      "B: pop() -> 1\n");
  EXPECT_TRUE(passes(judge_linearizability(history, *queue_spec())));
}

TEST(Linearizability, APopThatSaysEmptyWhileAValueMustBeInsideFails) {
  EXPECT_FALSE(linearizable("A: push(1) -> ok\nA: pop() -> empty\n", stack_spec()));
  EXPECT_FALSE(linearizable("A: push(1) -> ok\nA: pop() -> empty\n", queue_spec()));
}

TEST(Linearizability, APendingPopMayHaveTakenTheValue) {
  EXPECT_TRUE(linearizable("A: push(1) -> ok\nB: pop()\nA: pop() -> empty\n", stack_spec()));
  EXPECT_TRUE(linearizable("A: push(1) -> ok\nB: pop()\nA: pop() -> empty\n", queue_spec()));
  EXPECT_FALSE(linearizable("A: push(1) -> ok\nA: pop() -> empty\nB: pop()\n", stack_spec()));
}

TEST(Linearizability, AQueueIsFirstInFirstOut) {
  EXPECT_FALSE(linearizable("A: enq(1) -> ok\nA: enq(2) -> ok\nA: deq() -> 2\n", queue_spec()));
  EXPECT_TRUE(linearizable("A: enq(1)\nB: enq(2) -> ok\nA: -> ok\nA: deq() -> 2\n", queue_spec()));
}

TEST(Linearizability, PeeksSeeTheHead) {
  EXPECT_TRUE(linearizable("A: enq(1) -> ok\nA: enq(2) -> ok\nA: peek() -> 1\nA: deq() -> 1\n", queue_spec()));
  EXPECT_FALSE(linearizable("A: enq(1) -> ok\nA: enq(2) -> ok\nA: peek() -> 2\n", queue_spec()));
  EXPECT_FALSE(linearizable("A: push(1) -> ok\nA: push(2) -> ok\nA: peek() -> 1\n", stack_spec()));
}

TEST(Linearizability, RepeatedValuesAreCounted) {
  EXPECT_TRUE(linearizable("A: enq(1) -> ok\nA: enq(1) -> ok\nA: deq() -> 1\nA: deq() -> 1\n", queue_spec()));
  EXPECT_FALSE(linearizable("A: enq(1) -> ok\nA: deq() -> 1\nA: deq() -> 1\n", queue_spec()));
}

TEST(Linearizability, ValuesAboveThirtyTwoBitsStayApart) {
  EXPECT_FALSE(linearizable("A: push(4294967297) -> ok\nA: pop() -> 1\n", stack_spec()));
  EXPECT_FALSE(linearizable("A: push(9223372036854775807) -> ok\nA: pop() -> -1\n", stack_spec()));
  EXPECT_TRUE(linearizable("A: push(9223372036854775807) -> ok\nA: pop() -> 9223372036854775807\n", stack_spec()));
}

TEST(Linearizability, KeysAreIndependent) {
  EXPECT_TRUE(linearizable("A: put(1, 5) -> ok\nA: put(2, 6) -> ok\nB: get(1) -> 5\nB: get(3) -> nil\n", kv_spec()));
  EXPECT_FALSE(linearizable("A: put(1, 5) -> ok\nB: get(1) -> nil\n", kv_spec()));
}

TEST(Linearizability, WithoutSplittingTheVerdictIsTheSame) {
  const History history = parse_history("A: put(1, 5) -> ok\nA: put(2, 6) -> ok\nB: get(1) -> 5\nB: get(2) -> 5\n");
  EXPECT_TRUE(fails(judge_linearizability(history, *kv_spec(), {.split = false})));
}

TEST(Linearizability, ASpecNamesTheLineOfAnUnknownOperation) {
  const History history = parse_history("A: push(1) -> ok\nA: shove(1) -> ok\n", "log.txt");
  try {
    judge_linearizability(history, *stack_spec());
    FAIL() << "no error";
  } catch (const std::exception& error) {
    EXPECT_STREQ(error.what(),
                 "log.txt:2: stack has no operation `shove`; it has push, pop, peek. Rename with --map shove=NAME");
  }
}

TEST(Linearizability, AMatrixReplacesPositions) {
  History history = parse_history("A: write(1) -> ok\nB: read() -> 0\n");
  EXPECT_TRUE(fails(judge_linearizability(history, *register_spec())));
  history.set_precedence(PrecedenceMatrix(2));
  EXPECT_TRUE(passes(judge_linearizability(history, *register_spec())));
  PrecedenceMatrix ordered(2);
  ordered.set(0, 1);
  history.set_precedence(ordered);
  EXPECT_TRUE(fails(judge_linearizability(history, *register_spec())));
}

TEST(SequentialConsistency, ForgetsOrderBetweenProcesses) {
  const History history = parse_history("A: write(1) -> ok\nB: read() -> 0\n");
  EXPECT_TRUE(passes(judge_sequential_consistency(history, *register_spec())));
  const History own = parse_history("A: write(1) -> ok\nA: read() -> 0\n");
  EXPECT_TRUE(fails(judge_sequential_consistency(own, *register_spec())));
}

TEST(QuiescentConsistency, KeepsOrderAcrossQuiescenceOnly) {
  EXPECT_TRUE(
      fails(judge_quiescent_consistency(parse_history("A: write(1) -> ok\nB: read() -> 0\n"), *register_spec())));
  const History overlapped = parse_history("C: write(7)\nA: write(1) -> ok\nA: read() -> 0\nC: -> ok\n");
  EXPECT_TRUE(passes(judge_quiescent_consistency(overlapped, *register_spec())));
  EXPECT_TRUE(fails(judge_linearizability(overlapped, *register_spec())));
}

// Moments of quiescence times operations are more than 32 bits hold.
TEST(QuiescentConsistency, OfALongHistoryIsThatOfAShortOne) {
  constexpr std::int64_t writes = 60'000;
  for (const std::int64_t read : {writes, writes - 1}) {
    HistoryBuilder build;
    for (std::int64_t i = 1; i <= writes; ++i) {
      const OperationId id = build.call(build.process("A"), build.method("write"), {Value::integer(i)});
      build.returned(id, Value());
    }
    build.returned(build.call(build.process("A"), build.method("read"), std::span<const Value>{}),
                   Value::integer(read));
    EXPECT_EQ(passes(judge_quiescent_consistency(build.finish(), *register_spec())), read == writes);
  }
}

}  // namespace
}  // namespace muster
