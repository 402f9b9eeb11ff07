// Strategies that draw are run against toy programs, whose executions are few enough to know how often each should
// come.

#include "schedule/random_strategies.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "schedule/surw_strategy.hpp"

namespace muster {
namespace {

NextNumber without_end() {
  return [number = std::uint64_t{0}]() mutable { return std::optional(number++); };
}

/// Threads that only make events on objects: a letter each, in `objects`.
std::string order_of(Strategy& strategy, const std::vector<std::string>& threads) {
  static Schedule schedule;
  strategy.begin_execution(schedule);
  std::array<std::size_t, max_threads> done{};
  std::string order;
  ThreadId running = 0;
  for (;;) {
    Event next[max_threads];
    std::vector<Option> options;
    for (ThreadId t = 0; t < threads.size(); ++t) {
      if (done[t] == threads[t].size()) continue;
      next[t] = {static_cast<ObjectId>(threads[t][done[t]]), 1, static_cast<std::uint32_t>(done[t]), t,
                 EventKind::store};
      options.insert(t == running ? options.begin() : options.end(), t);
    }
    if (options.empty()) break;
    const bool runs_on = options.front() == running;
    const std::uint8_t index =
        options.size() == 1
            ? std::uint8_t{0}
            : strategy.decide({PointKind::thread, runs_on ? Cost::preemption : Cost::free, running, options, next});
    running = options[index];
    order += static_cast<char>('0' + running);
    strategy.executed(next[running]);
    ++done[running];
  }
  strategy.end_execution(schedule, Ending::completed);
  return order;
}

TEST(Surw, DrawsEveryOrderOfUnevenThreadsAsOften) {
  // Six orders of one event and five. A random walk draws the one with the single event last once in 32 times.
  SurwStrategy surw(1, without_end());
  RandomWalkStrategy walk(1, without_end());
  constexpr int executions = 6000;
  std::map<std::string, int> drawn, walked;
  for (int i = 0; i < executions; ++i) {
    ++drawn[order_of(surw, {"x", "xxxxx"})];
    ++walked[order_of(walk, {"x", "xxxxx"})];
  }
  ASSERT_EQ(drawn.size(), 6u);
  // 1,000 each with a deviation of 29: off by 200 with a chance below 10^-10.
  for (const auto& [order, times] : drawn) EXPECT_NEAR(times, executions / 6, 200) << order;
  EXPECT_LT(walked["111110"], 400);
}

TEST(Surw, IsUniformOnOneObjectWhateverElseHappens) {
  // What the second thread does to y, and each to z of its own, must not make the orders on x uneven.
  SurwStrategy surw(3, without_end());
  constexpr int executions = 6000;
  std::map<std::string, int> drawn;
  const std::vector<std::string> threads = {"xabcdefgh", "xyxyxyyyyy"};
  for (int i = 0; i < executions; ++i) {
    std::array<std::size_t, 2> done{};
    std::string on_x;
    for (const char thread : order_of(surw, threads)) {
      const auto t = static_cast<std::size_t>(thread - '0');
      if (threads[t][done[t]++] == 'x') on_x += thread;
    }
    ++drawn[on_x];
  }
  ASSERT_EQ(drawn.size(), 4u);
  for (const auto& [order, times] : drawn) EXPECT_GT(times, executions / 10) << order;
}

/// So many of a thousand executions in which a thread that spins up to `turns` times goes on to what comes after its
/// loop before another one, which could always step, has made all of its 100 steps.
template <class Made>
int outlasts(unsigned turns) {
  Made strategy = [] {
    if constexpr (std::is_same_v<Made, PctStrategy>)
      return PctStrategy(5, without_end(), 3);
    else
      return Made(5, without_end());
  }();
  int outlasted = 0;
  for (int i = 0; i < 1000; ++i) {
    static Schedule schedule;
    strategy.begin_execution(schedule);
    bool stays = true;
    for (unsigned turn = 0; turn < turns && stays; ++turn) {
      const Event next[2] = {{7, 1, turn, 0, EventKind::load}, {8, 2, 0, 1, EventKind::store}};
      const std::vector<Option> options = turn == 0 ? std::vector<Option>{1, 0} : std::vector<Option>{0, 1};
      const Cost cost = turn == 0 ? Cost::free : Cost::late_yield;
      stays = options[strategy.decide({PointKind::thread, cost, 0, options, next})] == 0;
    }
    outlasted += stays;
    strategy.end_execution(schedule, Ending::completed);
  }
  return outlasted;
}

TEST(RandomStrategies, OutlastTheSpinInFrontOfAWait) {
  // libstdc++ spins 16 times before a thread sleeps in a futex. A new coin at each turn would get there once in 65,536.
  EXPECT_GT(outlasts<RandomWalkStrategy>(16), 200);
  EXPECT_GT(outlasts<PctStrategy>(16), 200);
  EXPECT_GT(outlasts<PosStrategy>(16), 200);
  EXPECT_GT(outlasts<SurwStrategy>(16), 200);
  EXPECT_LT(outlasts<RandomWalkStrategy>(16), 700) << "others must get their chance, too";
  EXPECT_LT(outlasts<PctStrategy>(16), 700);
}

}  // namespace
}  // namespace muster
