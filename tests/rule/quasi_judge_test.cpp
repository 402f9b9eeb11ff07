// A class as the spec of a quasi check: it is asked about every order of calls that its definition needs.

#include "rule/quasi_judge.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "base/rng.hpp"
#include "rule/test_source.hpp"
#include "spec/builtin.hpp"
#include "support/property.hpp"
#include "support/window_brute_force.hpp"

namespace muster {
namespace {

constexpr Invocation enqueues = 3;  // of 1, 2 and 3; then comes dequeue

CheckDefinition queue_check() {
  CheckDefinition check;
  check.name = "queue";
  check.operations.push_back({.name = "enqueue", .excuses = {}});
  check.operations.push_back({.name = "dequeue", .excuses = {}});
  for (Invocation i = 0; i < enqueues; ++i) check.invocations.push_back({0, std::to_string(i + 1), nullptr});
  check.invocations.push_back({1, "", nullptr});
  return check;
}

/// Runs a queue, and tells how often.
class QueueRuns final : public SerialRuns {
 public:
  explicit QueueRuns(bool blocks) : blocks_(blocks) {}

  std::vector<std::vector<std::string>> answers(std::span<const Invocation> calls) override {
    ++executions_;
    std::vector<std::string> answers;
    std::deque<std::string> items;
    for (const Invocation call : calls) {
      if (call < enqueues) {
        items.push_back(std::to_string(call + 1));
        answers.emplace_back();
      } else if (!items.empty()) {
        answers.push_back(items.front());
        items.pop_front();
      } else if (blocks_) {
        break;
      } else {
        answers.emplace_back("nothing");
      }
    }
    return {answers};
  }

 private:
  bool blocks_;
};

struct Unknowing final : SerialRuns {
  std::vector<std::vector<std::string>> answers(std::span<const Invocation>) override {
    not_known_ = "nobody knows";
    return {};
  }
};

muster::Test random_test(Rng& rng, std::uint64_t most) {
  muster::Test test;
  std::uint64_t left = 2 + rng.below(most - 1);
  while (left > 0) {
    Sequence& column = test.columns.emplace_back();
    for (std::uint64_t rows = 1 + rng.below(left); rows > 0; --rows, --left)
      column.emplace_back(static_cast<Invocation>(rng.below(4) < 2 ? enqueues : rng.below(enqueues)));
  }
  return test;
}

/// Calls and returns of a queue that takes any of its first items, and sometimes answers whatever comes to mind.
class RandomExecution {
 public:
  RandomExecution(const muster::Test& test, Responses& responses, unsigned factor, bool honest, Rng& rng)
      : test_(test),
        operations_(operations_of(test)),
        responses_(responses),
        factor_(factor),
        honest_(honest),
        rng_(rng) {}

  Recorded run() {
    history_.begin(static_cast<unsigned>(test_.size()));
    unsigned at = 0;
    for (std::size_t i = 0; i < test_.first.size(); ++i) perform(at++);
    std::vector<std::pair<unsigned, unsigned>> columns;
    for (const Sequence& column : test_.columns) {
      columns.emplace_back(at, at + static_cast<unsigned>(column.size()));
      at += static_cast<unsigned>(column.size());
    }
    for (;;) {
      std::vector<std::size_t> able;
      for (std::size_t c = 0; c < columns.size(); ++c) {
        if (columns[c].first < columns[c].second) able.push_back(c);
      }
      if (able.empty()) break;
      auto& [next, end] = columns[able[rng_.below(able.size())]];
      step(next, end);
    }
    for (; !history_.stuck && at < operations_.size(); ++at) perform(at);
    return history_;
  }

 private:
  struct Present {
    std::string text;
    unsigned skipped = 0;
  };

  void perform(unsigned operation) {
    history_.call(operation);
    take_effect(operation);
    history_.ret(operation, responses_.number(answer_[operation]));
  }

  void step(unsigned& next, unsigned& end) {
    if (!(history_.called >> next & 1)) {
      history_.call(next);
    } else if (!(effected_ >> next & 1)) {
      if (rng_.below(12) == 0) {  // it never returns, and perhaps never happened
        if (rng_.below(2) == 0) take_effect(next);
        history_.stuck = true;
        end = next;
      } else {
        take_effect(next);
      }
    } else {
      history_.ret(next, responses_.number(answer_[next]));
      ++next;
    }
  }

  void take_effect(unsigned operation) {
    effected_ |= std::uint64_t{1} << operation;
    const Invocation call = operations_[operation].invocation;
    answer_[operation].clear();
    if (call < enqueues) {
      items_.push_back({std::to_string(call + 1)});
      return;
    }
    if (!honest_ && rng_.below(6) == 0) {
      answer_[operation] = std::vector<std::string>{"1", "2", "3", "nothing"}[rng_.below(4)];
      return;
    }
    answer_[operation] = items_.empty() ? "nothing" : take();
  }

  /// One that skips nobody too often, if it is honest.
  std::string take() {
    std::size_t most = 0;
    while (most < factor_ && most + 1 < items_.size() && (!honest_ || items_[most].skipped < factor_)) ++most;
    const std::size_t at = rng_.below(most + 1);
    for (std::size_t i = 0; i < at; ++i) ++items_[i].skipped;
    std::string taken = items_[at].text;
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(at));
    return taken;
  }

  const muster::Test& test_;
  std::vector<TestOperation> operations_;
  Responses& responses_;
  unsigned factor_;
  bool honest_;
  Rng& rng_;
  Recorded history_;
  std::deque<Present> items_;
  std::array<std::string, max_operations> answer_;
  std::uint64_t effected_ = 0;
};

/// The first operations of a test, with these answers.
Recorded one_after_the_other(const std::vector<std::string>& answers, Responses& responses) {
  Recorded history;
  history.begin(static_cast<unsigned>(answers.size()));
  for (unsigned i = 0; i < answers.size(); ++i) {
    history.call(i);
    history.ret(i, responses.number(answers[i]));
  }
  return history;
}

QuasiBasis executed(const CheckDefinition& check, const muster::Test& test, const Responses& responses,
                    bool blocks = false) {
  QuasiBasis basis;
  basis.runs = std::make_unique<QueueRuns>(blocks);
  basis.spec = executed_spec(check, test, *basis.runs, nullptr, responses);
  return basis;
}

TEST(QuasiJudge, ByAClassAgreesWithTheDefinition) {
  const CheckDefinition check = queue_check();
  const SpecPtr queue = find_spec("queue");
  Rng rng(11);
  int explained = 0, relaxed = 0, refuted = 0;
  const int count = muster::test::cases(400, 20'000);
  for (int round = 0; round < count; ++round) {
    const muster::Test test = random_test(rng, 6);
    Responses responses;
    const Recorded history = RandomExecution(test, responses, 2, false, rng).run();
    const std::string factors = std::vector<std::string>{"dequeue=0", "dequeue=1", "dequeue=2", "enqueue=1",
                                                         "enqueue=1,dequeue=1"}[rng.below(5)];
    QuasiJudge judge(check, test, responses, executed(check, test, responses), factors);
    const Ruling ruling = judge.judge(history);
    ASSERT_TRUE(ruling.undecided.empty()) << ruling.undecided;
    // The rest of the test is pending in a history that ends early.
    const History whole = to_history(check, test, history, responses, history.stuck);
    const bool expected = test::brute_force_window(whole, *queue, parse_factors(factors, *queue));
    ASSERT_EQ(!ruling.objection, expected) << factors << "\n" << to_text(whole);
    ASSERT_EQ(judge.last().linearizable, test::brute_force_window(whole, *queue, parse_factors("dequeue=0", *queue)))
        << to_text(whole);
    ++(judge.last().linearizable ? explained : expected ? relaxed : refuted);
  }
  EXPECT_GT(explained, count / 10);
  EXPECT_GT(relaxed, count / 100);
  EXPECT_GT(refuted, count / 10);
}

// Whatever a relaxed queue does is explained by a queue, "nothing there" and calls that never return included.
TEST(QuasiJudge, ByAClassRaisesNoFalseAlarm) {
  const CheckDefinition check = queue_check();
  Rng rng(12);
  const int count = muster::test::cases(300, 10'000);
  for (int round = 0; round < count; ++round) {
    const auto factor = static_cast<unsigned>(rng.below(3));
    const std::string factors = "dequeue=" + std::to_string(factor);
    const Removals removals(check, factors);
    const muster::Test plain = random_test(rng, 7);
    const muster::Test test = rng.below(2) ? removals.drained(plain) : removals.well_formed(plain);
    EXPECT_EQ(removals.drained(test), test);
    Responses responses;
    const Recorded history = RandomExecution(test, responses, factor, true, rng).run();
    QuasiJudge judge(check, test, responses, executed(check, test, responses), factors);
    const Ruling ruling = judge.judge(history);
    ASSERT_FALSE(ruling.objection) << factors << "\n" << to_text(to_history(check, test, history, responses));
  }
}

TEST(QuasiJudge, ACallThatBlocksSeriallyHasNoPlace) {
  const CheckDefinition check = queue_check();
  const muster::Test test = parse_test(check, "dequeue() | enqueue(1)");
  Responses responses;
  const Recorded history = one_after_the_other({"nothing", ""}, responses);
  EXPECT_FALSE(QuasiJudge(check, test, responses, executed(check, test, responses, false), "dequeue=1")
                   .judge(history)
                   .objection);
  EXPECT_TRUE(
      QuasiJudge(check, test, responses, executed(check, test, responses, true), "dequeue=1").judge(history).objection);
}

TEST(QuasiJudge, WhatTheSpecDoesNotKnowIsUndecided) {
  const CheckDefinition check = queue_check();
  const muster::Test test = parse_test(check, "dequeue() | enqueue(1)");
  Responses responses;
  const Recorded history = one_after_the_other({"2"}, responses);
  QuasiBasis basis;
  basis.runs = std::make_unique<Unknowing>();
  basis.spec = executed_spec(check, test, *basis.runs, nullptr, responses);
  const Ruling ruling = QuasiJudge(check, test, responses, std::move(basis), "dequeue=1").judge(history);
  EXPECT_FALSE(ruling.objection);
  EXPECT_EQ(ruling.undecided, "nobody knows");
}

TEST(QuasiJudge, TellsWhoAnswersOutOfTurn) {
  const CheckDefinition check = queue_check();
  const muster::Test test = parse_test(check, "first: enqueue(1), enqueue(2) | dequeue() | last: dequeue()");
  Responses responses;
  const Recorded history = one_after_the_other({"", "", "2", "1"}, responses);
  for (const bool builtin : {true, false}) {
    QuasiBasis basis =
        builtin ? QuasiBasis{.spec = find_spec("queue"), .builtin = true} : executed(check, test, responses);
    QuasiJudge judge(check, test, responses, std::move(basis), "dequeue=1");
    EXPECT_FALSE(judge.judge(history).objection);
    EXPECT_EQ(judge.largest_factor(), 1u);
    ASSERT_FALSE(judge.displaced().empty());
    EXPECT_EQ(judge.displaced()[0].operation, 2);
    EXPECT_EQ(judge.displaced()[0].instead_of, 3);
    EXPECT_EQ(judge.displaced()[0].distance, 1u);
  }
}

}  // namespace
}  // namespace muster
