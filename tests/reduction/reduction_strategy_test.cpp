// The reduced search is run on toy programs, lists of accesses without an engine, and compared with all interleavings:
// each equivalence class of them is to be executed exactly once.

#include "reduction/reduction_strategy.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>

#include "base/rng.hpp"
#include "support/property.hpp"

namespace muster {
namespace {

/// A read or a write of one of a few words, or a choice among several values.
struct ToyStep {
  unsigned word = 0;
  bool writes = false;
  std::uint8_t values = 1;
};
using ToyThreads = std::vector<std::vector<ToyStep>>;

/// One step of an execution, with the value that it chose.
struct ToyMade {
  ThreadId thread;
  unsigned number;
  std::uint8_t value;
  auto operator<=>(const ToyMade&) const = default;
};

/// What interleavings have in common that differ in the order of independent steps only: which of two steps that
/// conflict came first.
using ToyClass = std::set<std::pair<ToyMade, ToyMade>>;

bool conflicts(const ToyThreads& threads, const ToyMade& a, const ToyMade& b) {
  if (a.thread == b.thread) return true;
  const ToyStep &x = threads[a.thread][a.number], &y = threads[b.thread][b.number];
  return x.values == 1 && y.values == 1 && x.word == y.word && (x.writes || y.writes);
}

ToyClass class_of(const ToyThreads& threads, const std::vector<ToyMade>& made) {
  ToyClass pairs;
  for (std::size_t j = 0; j < made.size(); ++j) {
    for (std::size_t i = 0; i <= j; ++i) {
      if (i == j || conflicts(threads, made[i], made[j])) pairs.emplace(made[i], made[j]);
    }
  }
  return pairs;
}

void interleave(const ToyThreads& threads, std::vector<unsigned>& at, std::vector<ToyMade>& made,
                std::set<ToyClass>& classes) {
  bool finished = true;
  for (ThreadId t = 0; t < threads.size(); ++t) {
    if (at[t] == threads[t].size()) continue;
    finished = false;
    const std::uint8_t values = threads[t][at[t]].values;
    for (std::uint8_t value = 0; value < values; ++value) {
      made.push_back({t, at[t]++, value});
      interleave(threads, at, made, classes);
      --at[t];
      made.pop_back();
    }
  }
  if (finished) classes.insert(class_of(threads, made));
}

std::set<ToyClass> all_classes(const ToyThreads& threads) {
  std::set<ToyClass> classes;
  std::vector<unsigned> at(threads.size());
  std::vector<ToyMade> made;
  interleave(threads, at, made, classes);
  return classes;
}

/// What the engine does, for toys.
class ToyExecution {
 public:
  ToyExecution(const ToyThreads& threads, Strategy& strategy, Schedule& schedule)
      : threads_(threads), strategy_(strategy), schedule_(schedule), replayed_(schedule.size()), at_(threads.size()) {}

  /// Nothing if the strategy wanted no more of it.
  std::optional<ToyClass> run() {
    const bool complete = go();
    strategy_.end_execution(schedule_, complete ? Ending::completed : Ending::abandoned);
    return complete ? std::optional(class_of(threads_, made_)) : std::nullopt;
  }

 private:
  bool go() {
    for (;;) {
      const std::vector<Option> options = enabled();
      if (options.empty()) return true;
      std::uint8_t index = 0;
      const Cost cost = options[0] == running_ ? Cost::preemption : Cost::free;
      if (options.size() > 1 && !decide(PointKind::thread, cost, options, index)) return false;
      running_ = options[index];
      if (!strategy_.reducer()->begin_transition(running_) || !step()) return false;
    }
  }

  /// The running thread first.
  std::vector<Option> enabled() const {
    std::vector<Option> options;
    const auto add = [&](ThreadId t) {
      if (at_[t] < threads_[t].size()) options.push_back(static_cast<Option>(t));
    };
    add(running_);
    for (ThreadId t = 0; t < threads_.size(); ++t) {
      if (t != running_) add(t);
    }
    return options;
  }

  bool step() {
    const ToyStep& step = threads_[running_][at_[running_]];
    ToyMade made{running_, at_[running_]++, 0};
    if (step.values > 1) {
      std::vector<Option> options;
      for (std::uint8_t value = 0; value < step.values; ++value) options.push_back(value);
      if (!decide(PointKind::value, Cost::free, options, made.value)) return false;
    } else {
      strategy_.reducer()->accessed({.object = 65'536 + 8 * ObjectId{step.word},
                                     .size = 8,
                                     .mode = step.writes ? AccessMode::write : AccessMode::read});
    }
    made_.push_back(made);
    return true;
  }

  bool decide(PointKind kind, Cost cost, const std::vector<Option>& options, std::uint8_t& index) {
    const auto count = static_cast<std::uint8_t>(options.size());
    if (position_ < replayed_) {
      index = schedule_[position_++].index;
      EXPECT_EQ(schedule_[position_ - 1].count, count);
      return true;
    }
    index = strategy_.decide({kind, cost, running_, options, nullptr});
    if (index == Strategy::abandon) return false;
    schedule_.push({kind, cost, index, count, count, running_, true, Symmetry::none, 0});
    ++position_;
    return true;
  }

  const ToyThreads& threads_;
  Strategy& strategy_;
  Schedule& schedule_;
  std::uint32_t replayed_, position_ = 0;
  std::vector<unsigned> at_;
  std::vector<ToyMade> made_;
  ThreadId running_ = 0;
};

struct ToySearch {
  std::map<ToyClass, int> classes;  // with how often each was executed
  unsigned abandoned = 0;
  bool left_out = false;
};

ToySearch search_toy(const ToyThreads& threads, const ReductionConfig& config) {
  ToySearch found;
  ReductionStrategy strategy(config);
  const auto schedule = std::make_unique<Schedule>();
  while (strategy.begin_execution(*schedule)) {
    if (const auto made = ToyExecution(threads, strategy, *schedule).run())
      ++found.classes[*made];
    else
      ++found.abandoned;
  }
  found.left_out = strategy.left_out().preemptions;
  return found;
}

ToyThreads random_toy(std::uint64_t seed) {
  Rng rng{seed};
  ToyThreads threads(2 + rng.below(2));
  const unsigned words = 1 + static_cast<unsigned>(rng.below(3));
  for (auto& thread : threads) {
    thread.resize(1 + rng.below(threads.size() == 2 ? 4 : 3));
    for (ToyStep& step : thread) {
      step = {static_cast<unsigned>(rng.below(words)), rng.chance(1, 2), 1};
      if (rng.chance(1, 8)) step.values = 2;
    }
  }
  return threads;
}

class ToyReduction : public testing::TestWithParam<bool> {};

TEST_P(ToyReduction, EveryClassIsExecutedOnce) {
  const ReductionConfig config{.every_thread = GetParam()};
  for (int seed = 1; seed <= test::cases(200, 5000); ++seed) {
    SCOPED_TRACE(seed);
    const ToyThreads threads = random_toy(static_cast<std::uint64_t>(seed));
    const ToySearch found = search_toy(threads, config);
    std::set<ToyClass> seen;
    for (const auto& [made, times] : found.classes) {
      seen.insert(made);
      ASSERT_EQ(times, 1);
    }
    ASSERT_EQ(seen, all_classes(threads));
  }
}

INSTANTIATE_TEST_SUITE_P(SourceSetsAndSleepSetsAlone, ToyReduction, testing::Bool());

TEST(ReductionOfToys, IndependentThreadsHaveOneExecution) {
  const ToyThreads threads{{{0, true}, {0, true}}, {{1, true}, {1, false}}, {{2, false}, {2, true}}};
  const ToySearch found = search_toy(threads, {});
  EXPECT_EQ(found.classes.size(), 1u);
  EXPECT_EQ(found.abandoned, 0u);
}

TEST(ReductionOfToys, ABoundLeavesOutClassesAndSaysSo) {
  const ToyThreads threads{{{0, true}, {0, true}}, {{0, true}, {0, true}}};
  const ToySearch all = search_toy(threads, {}), few = search_toy(threads, ReductionConfig::with_bound(0));
  EXPECT_EQ(all.classes.size(), 6u);
  EXPECT_FALSE(all.left_out);
  EXPECT_LT(few.classes.size(), 6u);
  EXPECT_TRUE(few.left_out);
  const ToyClass first_thread_first = class_of(threads, {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}});
  EXPECT_TRUE(few.classes.contains(first_thread_first));
}

}  // namespace
}  // namespace muster
