// A class of executions that reduction calls failing, and that no execution shows, is settled by plain search of the
// test. Reduction is exact, so a judge that contradicts itself stands in for a class that is wrong.

#include <gtest/gtest.h>

#include <string>

#include "base/shared_memory.hpp"
#include "check/concurrent_phase.hpp"
#include "runtime/memory.hpp"

namespace muster::test {
namespace {

std::uint32_t counter;

struct Counter final : detail::Maker {
  void* make() const override {
    counter = 0;
    return &counter;
  }
  void destroy(void*) const override {}
};

/// Two of them may both see nothing.
struct CarelessIncrement final : detail::Invoke {
  CarelessIncrement() : Invoke(increment) {}
  static void increment(const Invoke&, detail::CallFrame&, detail::ResponseSink& response) {
    Memory memory(*engine);
    const std::uint32_t seen = memory.load(&counter, Order::seq_cst, 1);
    memory.store(&counter, seen + 1, Order::seq_cst, 2);
    response.put(std::to_string(seen));
  }
  bool run_on_models(void* const*, detail::ResponseSink&) const override { return false; }
};

detail::CheckDefinition careless_counter() {
  detail::CheckDefinition check;
  check.name = "careless_counter";
  check.objects.push_back(std::make_unique<Counter>());
  check.operations.emplace_back().name = "increment";
  check.invocations.push_back({0, "", std::make_unique<CarelessIncrement>()});
  return check;
}

/// Objects to a lost update, but for the times that it is told to let it pass.
class ForgetfulJudge final : public HistoryJudge {
 public:
  explicit ForgetfulJudge(std::vector<bool> objects) : objects_(std::move(objects)) {}

  Ruling judge(const Recorded& history) override {
    const bool is_lost = history.returned == 3 && history.response[0] == history.response[1];
    if (!is_lost) return {};
    const bool objects = asked_ < objects_.size() ? objects_[asked_] : objects_.back();
    ++asked_;
    Ruling ruling;
    if (objects) ruling.objection.emplace();
    return ruling;
  }
  std::size_t asked() const { return asked_; }

 private:
  std::vector<bool> objects_;
  std::size_t asked_ = 0;
};

class NotWaiting final : public Interruption {};

/// Searches `increment | increment` reduced to classes.
TestResult search_reduced(ForgetfulJudge& judge) {
  static const auto slot = make_shared_memory<WorkerSlot>();
  static Engine engine(RuntimeOptions{}, slot->journal, slot->racy_sites, preferred_context_mode());
  static const bool watched =
      (engine.races().arena().watch({reinterpret_cast<std::byte*>(&counter), sizeof counter}), true);
  EXPECT_TRUE(watched);
  const detail::CheckDefinition check = careless_counter();
  const Test test = parse_test(check, "increment | increment");
  CheckOptions options;
  options.strategy.kind = StrategyKind::reduction;
  options.strategy.preemptions = DepthFirstBounds::unbounded;
  CheckBench bench = lonely_bench(engine, *slot, check, options);
  Columns columns(check, test);
  const Program program = columns.program();
  warm_up(engine, slot->journal, program);
  Responses responses;
  ConcurrentRecorder recorder(check, test, responses, slot->racy_sites, columns, judge, slot->journal, options);
  TestResult result;
  ConcurrentPhase(bench, program, recorder, result).run();
  return result;
}

TEST(PlainFallback, AFailingClassThatAnExecutionShowsNeedsNone) {
  ForgetfulJudge judge({true});
  const TestResult result = search_reduced(judge);
  EXPECT_EQ(result.verdict, TestVerdict::failed);
  EXPECT_EQ(judge.asked(), 2u);  // of the class, and of the execution that shows it
}

TEST(PlainFallback, PlainSearchFindsWhatNoExecutionOfTheClassShowed) {
  ForgetfulJudge judge({true, false, true});
  const TestResult result = search_reduced(judge);
  ASSERT_EQ(result.verdict, TestVerdict::failed) << result.undecided;
  EXPECT_EQ(judge.asked(), 3u);
  EXPECT_EQ(result.failure->preemptions, 1u);
  ASSERT_FALSE(result.failure->schedule.empty());
  EXPECT_FALSE(result.failure->schedule.front().reduced);
}

TEST(PlainFallback, WhatPlainSearchDoesNotFindEitherPasses) {
  ForgetfulJudge judge({true, false, false});
  const TestResult result = search_reduced(judge);
  EXPECT_FALSE(result.failure);
  EXPECT_EQ(result.undecided, "");
  EXPECT_TRUE(result.exhausted);
  EXPECT_TRUE(result.all_schedules);
  EXPECT_EQ(result.classes, 0u);  // executions were judged
  EXPECT_EQ(result.histories, 3u);
}

}  // namespace
}  // namespace muster::test
