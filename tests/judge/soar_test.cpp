#include "judge/register/soar.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "judge/core/explain.hpp"
#include "judge/core/linearizability.hpp"
#include "spec/builtin.hpp"
#include "support/brute_force.hpp"
#include "support/property.hpp"

namespace muster {
namespace {

struct Answers {
  bool soar, clmt, fast, regular, safe;
};

Answers judge(const History& history) {
  const RegisterHistory accesses = register_history(history, *register_spec());
  return {soar(accesses), clmt(accesses).value(), passes(judge_register(accesses, RegisterProperty::atomic)),
          passes(judge_register(accesses, RegisterProperty::regular)),
          passes(judge_register(accesses, RegisterProperty::safe))};
}

void expect_atomic(const History& history, bool atomic) {
  const Answers answers = judge(history);
  EXPECT_EQ(answers.soar, atomic);
  EXPECT_EQ(answers.clmt, atomic);
  EXPECT_EQ(answers.fast, atomic);
  EXPECT_EQ(passes(judge_linearizability(history, *register_spec())), atomic);
}

// An execution of the kind of Figure 1: each read that overlaps a write takes the old value or the new one, and none
// goes back.
TEST(Soar, AcceptsTheExecutionOfFigure1) {
  expect_atomic(parse_history("w: write(1)\n"
                              "r1: read() -> 1\n"
                              "r2: read()\n"
                              "w: -> ok\n"
                              "w: write(0)\n"
                              "r2: -> 1\n"
                              "r1: read() -> 0\n"
                              "w: -> ok\n"
                              "r2: read() -> 0\n"),
                true);
}

// Section 1 and 3.1 tell Figure 2: r11 must follow w1, r12 must follow w2, and r13 then has no place; r21 returns the
// initial value.
constexpr std::string_view figure_2 =
    "w: write(1)\n"
    "r2: read()\n"
    "r1: read() -> 1\n"
    "r2: -> 0\n"
    "r1: read()\n"
    "w: -> ok\n"
    "w: write(0)\n"
    "r1: -> 0\n"
    "r1: read() -> 1\n"
    "w: -> ok\n";

TEST(Soar, RejectsTheExecutionOfFigure2) {
  const History history = parse_history(figure_2);
  expect_atomic(history, false);
  const Answers answers = judge(history);
  EXPECT_TRUE(answers.regular);
  EXPECT_TRUE(answers.safe);
}

TEST(Soar, RegularForbidsOldValuesAndSafeForbidsThemWithoutOverlap) {
  const Answers old = judge(parse_history("w: write(1) -> ok\nw: write(2) -> ok\nw: write(3)\nr: read() -> 1\n"));
  EXPECT_FALSE(old.regular);
  EXPECT_TRUE(old.safe);
  const Answers alone = judge(parse_history("w: write(1) -> ok\nr: read() -> 0\n"));
  EXPECT_FALSE(alone.safe);
}

TEST(Soar, TwoWritersAreAnErrorThatNamesBothLines) {
  const History history = parse_history("a: write(1)\nb: write(2) -> ok\na: -> ok\n", "two.txt");
  try {
    register_history(history, *register_spec());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "two.txt:2: this write and the one of line 1 overlap; these properties are defined for one writer");
  }
}

/// One writer, three readers, values from {0, 1, 2}; a write may be pending at the end.
History random_register_history(Rng& rng) {
  HistoryBuilder build;
  const MethodId write = build.method("write"), read = build.method("read");
  std::int64_t now = 0;
  const std::uint64_t writes = rng.below(3), reads = 1 + rng.below(3);
  for (std::uint64_t i = 0; i < writes; ++i) {
    const Value value = Value::integer(static_cast<std::int64_t>(rng.below(3)));
    const std::int64_t start = now + 1 + static_cast<std::int64_t>(rng.below(6)),
                       end = start + 1 + static_cast<std::int64_t>(rng.below(8));
    const bool pending = i + 1 == writes && rng.chance(1, 4);
    build.interval(build.process("w"), write, std::span(&value, 1), Value(), start,
                   pending ? HistoryBuilder::still_pending : end);
    now = end;
  }
  for (std::uint64_t i = 0; i < reads; ++i) {
    const auto start = static_cast<std::int64_t>(rng.below(24));
    const auto end = start + 1 + static_cast<std::int64_t>(rng.below(12));
    build.interval(build.process(Value::integer(static_cast<std::int64_t>(i))), read, {},
                   Value::integer(static_cast<std::int64_t>(rng.below(3))), start,
                   rng.chance(1, 10) ? HistoryBuilder::still_pending : end);
  }
  return build.finish(rng.chance(1, 2) ? Ties::overlap : Ties::precede);
}

/// Feeds the operations to the online assertion as they happen.
bool online(const History& history, RegisterProperty property) {
  RegisterAssertion assertion(Value::integer(0), property);
  std::vector<std::tuple<Position, OperationId, bool>> events;
  for (OperationId id = 0; id < history.size(); ++id) {
    events.emplace_back(history[id].call, id, false);
    if (!history[id].is_pending()) events.emplace_back(history[id].ret, id, true);
  }
  std::ranges::sort(events);
  std::vector<std::uint32_t> tokens(history.size());
  for (const auto& [position, id, is_return] : events) {
    const bool is_write = history.method_name(history[id].method) == "write";
    if (is_write) {
      is_return ? assertion.write_returned() : assertion.write_called(history.arguments(id)[0]);
    } else if (is_return) {
      assertion.read_returned(tokens[id], history[id].result);
    } else {
      tokens[id] = assertion.read_called();
    }
  }
  return assertion.holds();
}

/// Lamport's definitions, read by read.
bool regular_by_definition(const History& history, bool safe) {
  const RegisterHistory accesses = register_history(history, *register_spec());
  return std::ranges::all_of(accesses.reads, [&](const auto& read) {
    std::size_t last = 0;
    bool overlapped = false, fits = false;
    for (std::size_t write = 0; write < accesses.writes.size(); ++write) {
      if (accesses.writes[write].ret < read.call) {
        last = write;
      } else if (accesses.writes[write].call < read.ret) {
        overlapped = true;
        fits |= accesses.writes[write].value == read.value;
      }
    }
    return fits || accesses.writes[last].value == read.value || (safe && overlapped);
  });
}

TEST(Soar, AllJudgesOfARegisterAgreeWithBruteForce) {
  Rng rng{4};
  int atomic = 0;
  const int count = test::cases(2'000, 20'000);
  for (int i = 0; i < count; ++i) {
    const History history = random_register_history(rng);
    const bool truth = test::brute_force_linearizable(history, *register_spec());
    atomic += truth;
    const Answers answers = judge(history);
    ASSERT_EQ(answers.soar, truth) << to_text(history);
    ASSERT_EQ(answers.clmt, truth) << to_text(history);
    ASSERT_EQ(answers.fast, truth) << to_text(history);
    ASSERT_EQ(answers.regular, regular_by_definition(history, false)) << to_text(history);
    ASSERT_EQ(answers.safe, regular_by_definition(history, true)) << to_text(history);
    ASSERT_EQ(online(history, RegisterProperty::atomic), truth) << to_text(history);
    ASSERT_EQ(online(history, RegisterProperty::regular), answers.regular) << to_text(history);
    ASSERT_EQ(online(history, RegisterProperty::safe), answers.safe) << to_text(history);
    ASSERT_EQ(passes(judge_linearizability(history, *register_spec())), truth) << to_text(history);
  }
  EXPECT_GT(atomic, count / 10);
  EXPECT_LT(atomic, count * 9 / 10);
}

/// Some choice of a write for each read, by the recorded times: with clocks that differ by up to `skew` an operation
/// precedes one of another process only if more than that lies between them, and one of its own process always.
bool explained_by_choice(const History& history, std::int64_t skew, RegisterProperty property) {
  std::vector<OperationId> writes, reads;
  for (OperationId id = 0; id < history.size(); ++id) {
    if (history.method_name(history[id].method) == "write")
      writes.push_back(id);
    else if (!history[id].is_pending())
      reads.push_back(id);
  }
  std::ranges::sort(writes, {}, [&](OperationId id) { return history.call_time(id); });
  const auto precedes = [&](OperationId a, OperationId b) {
    if (history[a].is_pending()) return false;
    const bool own = history[a].process == history[b].process;
    return own ? history.call_time(a) < history.call_time(b) : history.return_time(a) + skew < history.call_time(b);
  };
  const auto fits = [&](OperationId read, std::size_t choice) {  // 0: the initial value
    bool overlapped = false;
    std::size_t last = 0;
    for (std::size_t w = 0; w < writes.size(); ++w) {
      if (precedes(writes[w], read))
        last = w + 1;
      else
        overlapped |= !precedes(read, writes[w]);
    }
    if (property == RegisterProperty::safe && overlapped) return true;
    const Value value = choice == 0 ? Value::integer(0) : history.arguments(writes[choice - 1])[0];
    return choice >= last && value == history[read].result && (choice == 0 || !precedes(read, writes[choice - 1]));
  };
  std::vector<std::size_t> choice(reads.size());
  const std::function<bool(std::size_t)> search = [&](std::size_t at) {
    if (at == reads.size()) return true;
    for (choice[at] = 0; choice[at] <= writes.size(); ++choice[at]) {
      bool good = fits(reads[at], choice[at]);
      for (std::size_t other = 0; good && property == RegisterProperty::atomic && other < at; ++other) {
        if (precedes(reads[other], reads[at]))
          good = choice[other] <= choice[at];
        else if (precedes(reads[at], reads[other]))
          good = choice[at] <= choice[other];
      }
      if (good && search(at + 1)) return true;
    }
    return false;
  };
  return search(0);
}

// A log may call everything the work of one process, or of one client that has several requests under way.
TEST(Soar, OperationsOfOneProcessThatOverlapAreNotOrdered) {
  const Value one = Value::integer(1);
  HistoryBuilder build;
  const MethodId write = build.method("write"), read = build.method("read");
  build.interval(build.process("w"), write, std::span(&one, 1), Value(), 0, 10);
  build.interval(build.process("r"), read, {}, one, 1, 8);
  build.interval(build.process("r"), read, {}, Value::integer(0), 2, 9);
  const History history = build.finish();
  EXPECT_TRUE(judge(history).fast);
  EXPECT_TRUE(passes(
      judge_register(register_history(with_skew(history, 3), *register_spec(), &history), RegisterProperty::atomic)));
}

TEST(Soar, ClocksThatDifferLeaveEachProcessItsOwnOrder) {
  Rng rng{5};
  int seeming = 0, passing = 0;
  const int count = test::cases(2'000, 20'000);
  for (int i = 0; i < count; ++i) {
    HistoryBuilder build;
    const MethodId write = build.method("write"), read = build.method("read");
    for (const char* process : {"w", "r", "s"}) {
      std::int64_t now = static_cast<std::int64_t>(rng.below(4));
      for (std::uint64_t left = 1 + rng.below(3); left > 0; --left) {
        const Value value = Value::integer(static_cast<std::int64_t>(rng.below(3)));
        const std::int64_t start = now + 1, end = start + 1 + static_cast<std::int64_t>(rng.below(4));
        now = end + static_cast<std::int64_t>(rng.below(3));
        const bool writes = process[0] == 'w' && rng.chance(3, 4);
        const bool pending = left == 1 && rng.chance(1, 6);
        build.interval(build.process(process), writes ? write : read,
                       writes ? std::span(&value, 1) : std::span<const Value>(), writes ? Value() : value, start,
                       pending ? HistoryBuilder::still_pending : end);
      }
    }
    const History history = build.finish(Ties::overlap);
    const auto skew = static_cast<std::int64_t>(rng.below(6));
    const RegisterHistory accesses = register_history(with_skew(history, skew), *register_spec(), &history);
    seeming += skew > 0;
    for (const auto property : {RegisterProperty::atomic, RegisterProperty::regular, RegisterProperty::safe}) {
      const bool truth = explained_by_choice(history, skew, property);
      passing += truth;
      ASSERT_EQ(passes(judge_register(accesses, property)), truth)
          << to_text(history) << "skew " << skew << ", property " << static_cast<int>(property);
    }
  }
  EXPECT_GT(seeming, count / 4);
  EXPECT_GT(passing, count / 4);
  EXPECT_LT(passing, count * 3 * 3 / 4);
}

}  // namespace
}  // namespace muster
