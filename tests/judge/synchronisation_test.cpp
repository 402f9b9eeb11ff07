// The examples of Lawrence and Lowe, and agreement of all judges of synchronisation with brute force.

#include "judge/synchronisation/synchronisation.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/error.hpp"
#include "judge/core/linearizability.hpp"
#include "judge/synchronisation/bipartite_matching.hpp"
#include "spec/builtin.hpp"
#include "spec/synchronisation_objects.hpp"
#include "support/property.hpp"
#include "support/synchronisations.hpp"

namespace muster {
namespace {

/// All judges that can decide about this spec.
std::vector<SyncJudge> judges_of(const SyncSpec& spec) {
  std::vector<SyncJudge> judges{SyncJudge::automatic, SyncJudge::search, SyncJudge::two_step};
  if (spec.is_stateless()) judges.push_back(SyncJudge::cover);
  if (spec.is_stateless() && spec.largest_arity() <= 2) judges.push_back(SyncJudge::matching);
  return judges;
}

bool is_explained(const History& history, const SyncSpec& spec) {
  std::set<bool> verdicts;
  for (const SyncJudge judge : judges_of(spec)) {
    const SyncVerdict verdict = judge_synchronisation(history, spec, {.judge = judge});
    EXPECT_FALSE(is_undecided(verdict));
    verdicts.insert(passes(verdict));
    if (passes(verdict) && judge != SyncJudge::two_step) {
      EXPECT_TRUE(is_witness(history, spec, std::get<SyncWitness>(verdict).synchronisations)) << to_text(history);
    }
  }
  EXPECT_EQ(verdicts.size(), 1u) << spec.name() << "\n" << to_text(history);
  return *verdicts.begin();
}

bool may_block(const History& history, const SyncSpec& spec) {
  std::set<bool> verdicts;
  for (const SyncJudge judge : judges_of(spec))
    verdicts.insert(passes(judge_progress(history, spec, {.judge = judge})));
  EXPECT_EQ(verdicts.size(), 1u) << spec.name() << "\n" << to_text(history);
  return *verdicts.begin();
}

SyncFault fault(const History& history, const SyncSpec& spec) {
  return std::get<SyncCounterexample>(judge_progress(history, spec)).fault;
}

TEST(Synchronisation, Figure1AQueueIsTheCaseOfArityOne) {
  const auto queue = terminating_queue_spec(9);  // nobody ends it here
  const char* figure =
      "A: enqueue(5)\n"
      "B: enqueue(4)\n"
      "C: dequeue()\n"
      "A: ->\n"
      "C: -> 4\n"
      "B: ->\n";
  EXPECT_TRUE(is_explained(parse_history(figure), *queue));
  EXPECT_FALSE(is_explained(parse_history("A: enqueue(5) ->\nB: enqueue(4) ->\nC: dequeue() -> 4\n"), *queue));
}

constexpr const char* figure2 =
    "A: send(8)\n"
    "B: send(8)\n"
    "C: receive()\n"
    "C: -> 8\n"
    "C: receive()\n"
    "A: ->\n"
    "A: send(9)\n"
    "C: -> 9\n"
    "C: receive()\n"
    "B: ->\n"
    "A: ->\n"
    "C: -> 8\n";

TEST(Synchronisation, Figure2TheChannel) {
  const History history = parse_history(figure2);
  EXPECT_TRUE(is_explained(history, *channel_spec()));
  const SyncVerdict verdict = judge_synchronisation(history, *channel_spec());
  std::vector<std::vector<OperationId>> pairs;
  for (const auto& meeting : std::get<SyncWitness>(verdict).synchronisations) pairs.push_back(meeting.participants);
  EXPECT_EQ(pairs.size(), 3u);
  // The first two values are the same, so 1 and 2 may change places; 9 goes from the fourth call to the fifth.
  EXPECT_NE(std::ranges::find(pairs, std::vector<OperationId>{4, 3}), pairs.end());
}

TEST(Synchronisation, Examples3And4MayNotBlock) {
  const History synchronised = parse_history("A: send(3)\nB: receive() -> 3\n");
  EXPECT_TRUE(is_explained(synchronised, *channel_spec()));
  EXPECT_FALSE(may_block(synchronised, *channel_spec()));
  EXPECT_EQ(fault(synchronised, *channel_spec()), SyncFault::cannot_return);

  const History waiting = parse_history("A: send(3)\nB: receive()\n");
  EXPECT_TRUE(is_explained(waiting, *channel_spec()));
  EXPECT_FALSE(may_block(waiting, *channel_spec()));
  EXPECT_EQ(fault(waiting, *channel_spec()), SyncFault::could_synchronise);
}

TEST(Synchronisation, Examples5And6MayBlock) {
  EXPECT_TRUE(may_block(parse_history("A: send(3)\n"), *channel_spec()));
  EXPECT_TRUE(may_block(History(), *channel_spec()));
}

TEST(Synchronisation, WhatCannotMeetEveryoneMayWait) {
  EXPECT_TRUE(may_block(parse_history("A: send(3)\nB: send(4)\n"), *channel_spec()));
  // Two senders and a receiver that has returned: one of the senders has met it and must return.
  EXPECT_FALSE(may_block(parse_history("A: send(3)\nB: send(3)\nC: receive() -> 3\n"), *channel_spec()));
  EXPECT_TRUE(may_block(parse_history("A: send(3)\nB: send(3)\nC: receive()\nC: -> 3\nA: ->\n"), *channel_spec()));
}

TEST(Synchronisation, Section3NoLinearizabilitySpecTellsTheseApart) {
  const History together = parse_history("A: send(3)\nB: receive()\nA: ->\nB: -> 3\n");
  EXPECT_TRUE(is_explained(together, *channel_spec()));
  // A spec for linearizability that accepts this history accepts one of its two serial orders, and with it the history
  // in which the operations follow each other in that order. Neither is a synchronisation.
  for (const char* serial : {"A: send(3) ->\nB: receive() -> 3\n", "B: receive() -> 3\nA: send(3) ->\n"})
    EXPECT_FALSE(is_explained(parse_history(serial), *channel_spec()));
}

TEST(Synchronisation, BuiltInObjects) {
  EXPECT_TRUE(is_explained(parse_history("A: exchange(1)\nB: exchange(2)\nA: -> 2\nB: -> 1\n"), *exchanger_spec()));
  EXPECT_FALSE(is_explained(parse_history("A: exchange(1)\nB: exchange(2)\nA: -> 1\nB: -> 2\n"), *exchanger_spec()));
  EXPECT_FALSE(is_explained(
      parse_history("A: exchange(1)\nB: exchange(2)\nC: exchange(3)\nA: -> 2\nB: -> 3\nC: -> 1\n"), *exchanger_spec()));
  EXPECT_TRUE(is_explained(parse_history("A: sync()\nB: sync()\nA: ->\nA: sync()\nB: ->\nB: sync()\nA: ->\nB: ->\n"),
                           *barrier_spec(2)));
  EXPECT_FALSE(is_explained(parse_history("A: sync()\nB: sync()\nA: ->\nA: sync()\nA: ->\nB: ->\n"), *barrier_spec(2)));
  EXPECT_TRUE(is_explained(parse_history("A: send(1)\nB: receive()\nA: -> true\nB: -> 1\nA: send(2) -> false\n"),
                           *timeout_channel_spec()));
  EXPECT_FALSE(
      is_explained(parse_history("A: send(1)\nB: receive()\nA: -> false\nB: -> 1\n"), *timeout_channel_spec()));
  EXPECT_FALSE(is_explained(parse_history("A: receive() -> nil\nB: close() ->\n"), *closeable_channel_spec()));
  EXPECT_TRUE(is_explained(parse_history("B: close() ->\nA: receive() -> nil\n"), *closeable_channel_spec()));
  EXPECT_TRUE(
      is_explained(parse_history("A: dequeue()\nB: dequeue()\nA: -> nil\nB: -> nil\n"), *terminating_queue_spec(2)));
  EXPECT_FALSE(is_explained(parse_history("A: enqueue(1) ->\nA: dequeue()\nB: dequeue()\nA: -> nil\nB: -> nil\n"),
                            *terminating_queue_spec(2)));
  EXPECT_FALSE(is_explained(
      parse_history("A: meet(1)\nB: meet(2)\nA: -> 2\nB: -> 1\nA: meet(1)\nB: meet(2)\nA: -> 2\nB: -> 1\n"),
      *one_family_spec()));
  EXPECT_EQ(find_synchronisation_spec("queue"), nullptr);
  EXPECT_THROW(find_synchronisation_spec("barrier"), Error);
}

TEST(Synchronisation, AnUnknownOperationIsAnErrorWithItsLine) {
  History history = parse_history("A: send(1)\nB: peek()\n", "log.txt");
  try {
    arrange(history, *channel_spec());
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "log.txt:2: channel has no operation `peek`; it has send, receive. Rename with --map peek=NAME");
  }
}

TEST(Synchronisation, AMatchingThatMustBeRepairedIsFound) {
  // Left 0 first takes right 0, and must give it up to 1, and so on down the line.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t i = 0; i < 500; ++i) {
    edges.emplace_back(i, i);
    edges.emplace_back(i, i + 1);
  }
  edges.emplace_back(500, 0);
  const auto partners = bipartite_matching(501, 501, edges);
  EXPECT_EQ(std::ranges::count(partners, unmatched), 0);
}

TEST(Synchronisation, AllJudgesAgreeWithBruteForce) {
  Rng rng{61};
  int explained = 0, unexplained = 0, blocking = 0, progressing = 0, pending = 0, matched = 0;
  int by_arity[5] = {};
  const int count = test::cases(3'000, 50'000);
  for (int i = 0; i < count; ++i) {
    const auto shape = test::random_shape(rng, 1 + static_cast<unsigned>(rng.below(4)));
    const SyncSpecPtr spec = test::random_spec(shape, rng.below(~std::uint64_t{0}));
    const History history = test::random_history(rng, *spec, 2 + rng.below(5));
    test::BruteForceSynchronisation oracle(history, *spec);
    const bool truth = oracle.is_explained();
    (truth ? explained : unexplained)++;
    pending += !history.is_complete();
    ++by_arity[spec->largest_arity()];
    ASSERT_EQ(is_explained(history, *spec), truth) << i << "\n" << to_text(history);
    ASSERT_EQ(passes(judge_synchronisation(history, *spec, {.judge = SyncJudge::search, .as_soon_as_possible = false})),
              truth);
    matched += judge_for(*spec) == SyncJudge::matching;
    const bool blocks = truth && oracle.may_block();
    if (truth) (blocks ? blocking : progressing)++;
    ASSERT_EQ(may_block(history, *spec), blocks) << i << "\n" << to_text(history);
    if (HasFailure()) return;
  }
  for (const int number : {explained, unexplained, blocking, progressing, pending, matched, by_arity[1], by_arity[2],
                           by_arity[3], by_arity[4]})
    EXPECT_GT(number, count / 50);
}

/// Section 6.2: a variable, each of whose operations meets one that does nothing.
TEST(Synchronisation, AVariableBehindSynchronisationsIsAVariable) {
  struct Variable {
    Value value = Value::integer(0);
    bool operator==(const Variable&) const = default;
    std::uint64_t hash() const { return value.bits(); }
  };
  const auto spec =
      synchronised<Variable>("variable", {}, {{"get", 0}, {"set", 1}, {"meet", 0}},
                             {{"get",
                               {0, 2},
                               [](const Variable& s, Participants) {
                                 return Meetings<Variable>{{s, {s.value, Value()}}};
                               }},
                              {"set", {1, 2}, [](const Variable&, Participants p) {
                                 return Meetings<Variable>{{Variable{p[0][0]}, {Value::integer(-1), Value()}}};
                               }}});
  Rng rng{62};
  int linearizable = 0;
  const int count = test::cases(400, 4'000);
  for (int i = 0; i < count; ++i) {
    const std::size_t k = 2 + rng.below(5);
    HistoryBuilder plain, meeting;
    std::vector<std::pair<std::int64_t, std::int64_t>> intervals;
    for (std::size_t n = 0; n < k; ++n) {
      const auto start = static_cast<std::int64_t>(2 + rng.below(10));
      intervals.emplace_back(start, start + 1 + static_cast<std::int64_t>(rng.below(5)));
    }
    for (std::size_t n = 0; n < k; ++n) {
      const Value value = Value::integer(static_cast<std::int64_t>(rng.below(3)));
      const Value name = Value::integer(static_cast<std::int64_t>(n));
      const auto [start, end] = intervals[n];
      if (rng.chance(1, 2)) {
        plain.interval(plain.process(name), plain.method("read"), {}, value, start, end);
        meeting.interval(meeting.process(name), meeting.method("get"), {}, value, start, end);
      } else {
        plain.interval(plain.process(name), plain.method("write"), std::span(&value, 1), Value(), start, end);
        meeting.interval(meeting.process(name), meeting.method("set"), std::span(&value, 1), Value::integer(-1), start,
                         end);
      }
      meeting.interval(meeting.process(Value::integer(static_cast<std::int64_t>(100 + n))), meeting.method("meet"), {},
                       Value(), 0, 50);
    }
    const bool truth = passes(judge_linearizability(plain.finish(), *register_spec()));
    linearizable += truth;
    ASSERT_EQ(is_explained(meeting.finish(), *spec), truth);
  }
  EXPECT_GT(linearizable, count / 10);
  EXPECT_LT(linearizable, count * 9 / 10);
}

/// Section 6.5: complete matchings in 3-partite hypergraphs.
TEST(Synchronisation, TriplesThatMeetAreACompleteMatching) {
  using Triple = std::array<std::size_t, 3>;
  Rng rng{65};
  int matchable = 0;
  const int count = test::cases(300, 3'000);
  for (int i = 0; i < count; ++i) {
    const std::size_t n = 2 + rng.below(4);
    std::set<Triple> triples;
    for (std::size_t t = 0; t < n + 1 + n * n / 2; ++t) triples.insert({rng.below(n), rng.below(n), rng.below(n)});
    // Permutations of y and z for x = 0, 1, …
    const auto truth = [&] {
      std::vector<std::size_t> y(n), z(n);
      for (std::size_t j = 0; j < n; ++j) y[j] = z[j] = j;
      do {
        do {
          bool all = true;
          for (std::size_t x = 0; x < n && all; ++x) all = triples.contains(Triple{x, y[x], z[x]});
          if (all) return true;
        } while (std::ranges::next_permutation(z).found);
      } while (std::ranges::next_permutation(y).found);
      return false;
    }();
    matchable += truth;
    const auto spec = synchronised<test::Bare>("triples", {}, {{"op1", 1}, {"op2", 1}, {"op3", 1}},
                                               {{"meet", {0, 1, 2}, [&triples](const test::Bare& s, Participants p) {
                                                   const auto number = [&](std::size_t who) {
                                                     return static_cast<std::size_t>(p[who][0].as_integer());
                                                   };
                                                   return triples.contains({number(0), number(1), number(2)})
                                                              ? Meetings<test::Bare>{{s, {Value(), Value(), Value()}}}
                                                              : Meetings<test::Bare>{};
                                                 }}});
    HistoryBuilder build;
    for (const char* name : {"op1", "op2", "op3"}) {
      for (std::size_t x = 0; x < n; ++x) {
        const Value argument = Value::integer(static_cast<std::int64_t>(x));
        build.interval(build.process(Value::integer(static_cast<std::int64_t>(build.size()))), build.method(name),
                       std::span(&argument, 1), Value(), 0, 10);
      }
    }
    const History history = build.finish();
    ASSERT_EQ(passes(judge_synchronisation(history, *spec)), truth);
    ASSERT_EQ(passes(judge_synchronisation(history, *spec, {.judge = SyncJudge::search})), truth);
    if (n <= 3) {
      ASSERT_EQ(is_explained(history, *spec), truth);
    }
  }
  EXPECT_GT(matchable, count / 10);
  EXPECT_LT(matchable, count * 9 / 10);
}

TEST(Synchronisation, ALimitIsUndecided) {
  // Twelve transfers at once whose numbers nobody recorded, and a receiver that got what nobody sent.
  HistoryBuilder build;
  for (std::int64_t i = 0; i < 12; ++i) {
    const Value argument = Value::integer(i);
    build.interval(build.process(Value::integer(i)), build.method("send"), std::span(&argument, 1), Value(), 0, 10);
    build.interval(build.process(Value::integer(100 + i)), build.method("receive"), {},
                   i == 11 ? Value::integer(99) : Value(), 0, 10);
  }
  const History history = build.finish();
  const SyncVerdict verdict =
      judge_synchronisation(history, *counting_channel_spec(), {.limits = {.time = std::chrono::milliseconds(20)}});
  EXPECT_TRUE(is_undecided(verdict));
}

}  // namespace
}  // namespace muster
