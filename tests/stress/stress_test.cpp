// Runs on real threads: they start together, and what is stuck is noticed.

#include "stress/stress.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "stress/sleepers.hpp"
#include "support/property.hpp"

namespace muster {
namespace {

struct Counting : StressSubject {
  void begin(std::size_t) override { ++begun; }
  void end(std::size_t) override { ++ended; }
  void work(std::size_t run, unsigned thread) override {
    ++worked;
    if (thread == 0 && run == stuck_in) stick();
  }
  virtual void stick() {}

  std::atomic<int> begun{0}, worked{0}, ended{0};
  std::size_t stuck_in = ~std::size_t{0};
};

/// Waits for something that never comes.
struct Sleeping : Counting {
  void stick() override {
    std::unique_lock lock(mutex);
    never.wait(lock, [this] { return false; });
  }
  std::mutex mutex;
  std::condition_variable never;
};

struct Spinning : Counting {
  void stick() override {
    while (!stop.load()) std::this_thread::yield();
  }
  std::atomic<bool> stop{false};
};

struct Dozing : Counting {
  void stick() override { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }
};

std::vector<RunEnd> all_completed(std::size_t runs) { return std::vector<RunEnd>(runs, RunEnd::completed); }

TEST(Stress, EveryThreadTakesPartInEveryRun) {
  Stress stress(3);
  const auto subject = std::make_shared<Counting>();
  for (int batch = 0; batch < 4; ++batch) {
    EXPECT_EQ(stress.run(subject, 50), all_completed(50));
  }
  EXPECT_EQ(subject->begun, 200);
  EXPECT_EQ(subject->worked, 600);
  EXPECT_EQ(subject->ended, 200);
}

/// Processes that leave little time for this one.
class Crowd {
 public:
  explicit Crowd(unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      const pid_t child = fork();
      while (child == 0) asm volatile("");
      children_.push_back(child);
    }
  }
  ~Crowd() {
    for (const pid_t child : children_) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
  }

 private:
  std::vector<pid_t> children_;
};

TEST(Stress, WhoIsLateToSayThatAllIsDoneIsNotStuck) {
  const Crowd crowd(2 * std::thread::hardware_concurrency());
  Stress stress(3);
  for (int batch = 0; batch < test::cases(400, 20'000); ++batch) {
    ASSERT_EQ(stress.run(std::make_shared<Counting>(), 1), all_completed(1)) << "in batch " << batch;
    ASSERT_EQ(stress.left_behind(), 0u) << "in batch " << batch;
  }
}

TEST(Stress, AThreadThatSleepsForEverIsNoticedAndLeftBehind) {
  Stress stress(2);
  const auto subject = std::make_shared<Sleeping>();
  subject->stuck_in = 7;
  auto expected = all_completed(8);
  expected[7] = RunEnd::stuck;
  EXPECT_EQ(stress.run(subject, 50, AfterStuck::stop), expected);
  EXPECT_EQ(subject->ended, 7);
  EXPECT_EQ(stress.left_behind(), 1u);
  EXPECT_EQ(stress.run(std::make_shared<Counting>(), 5), all_completed(5));
}

TEST(Stress, AnotherTakesThePlaceOfOneThatIsLeftBehind) {
  Stress stress(3);
  const auto subject = std::make_shared<Sleeping>();
  subject->stuck_in = 7;
  auto expected = all_completed(50);
  expected[7] = RunEnd::stuck;
  EXPECT_EQ(stress.run(subject, 50), expected);
  EXPECT_EQ(subject->ended, 49);
  EXPECT_EQ(subject->worked, 150);
  EXPECT_EQ(stress.left_behind(), 1u);
}

struct AlwaysSleeping : Sleeping {
  void work(std::size_t, unsigned thread) override {
    if (thread > 0) stick();
  }
};

TEST(Stress, WithTooManyLeftBehindNoRunIsBegun) {
  Stress stress(3, {.most_left_behind = 10});
  const auto ends = stress.run(std::make_shared<AlwaysSleeping>(), 50);
  EXPECT_EQ(ends, std::vector<RunEnd>(ends.size(), RunEnd::stuck));
  EXPECT_EQ(ends.size(), 5u);
  EXPECT_EQ(stress.left_behind(), 10u);
}

TEST(Stress, ASleepWithATimeoutIsNoReasonToGiveUp) {
  Stress stress(2);
  const auto subject = std::make_shared<Dozing>();
  subject->stuck_in = 3;
  EXPECT_EQ(stress.run(subject, 10), all_completed(10));
}

TEST(Stress, AThreadThatSpinsIsOnlySuspected) {
  Stress stress(2, {.patience = std::chrono::milliseconds(50)});
  const auto subject = std::make_shared<Spinning>();
  subject->stuck_in = 3;
  EXPECT_EQ(stress.run(subject, 10).back(), RunEnd::suspected);
  subject->stop = true;
}

TEST(Stress, WhoIsAwakeIsNotAsleep) {
  const auto everybody = [](pid_t) { return Concern::sleeps_for_ever; };
  EXPECT_FALSE(Sleepers().all_asleep(everybody));  // this thread runs
}

TEST(Stress, WhoWasThereBeforeIsNotWaitedFor) {
  std::atomic<bool> over{false};
  std::thread busy([&] {
    while (!over.load()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  Stress stress(2);
  const auto subject = std::make_shared<Sleeping>();
  subject->stuck_in = 3;
  EXPECT_EQ(stress.run(subject, 10, AfterStuck::stop).back(), RunEnd::stuck);
  over = true;
  busy.join();
}

/// The object's own threads may sleep while those that take part in the run have not even woken up.
TEST(Stress, WhoWasGivenWorkIsAwake) {
  Stress stress(2);
  std::mutex mutex;
  std::condition_variable changed;
  bool over = false;
  std::thread sleeper([&] {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return over; });
  });
  const auto subject = std::make_shared<Counting>();
  for (int batch = 0; batch < 500; ++batch) ASSERT_EQ(stress.run(subject, 1), all_completed(1));
  {
    const std::lock_guard lock(mutex);
    over = true;
  }
  changed.notify_one();
  sleeper.join();
}

/// An operation that returned before another was called is recorded so, and no operation before one that it overlaps.
TEST(Stress, StampsAreNeverStricterThanWhatHappened) {
  struct Interval {
    std::uint32_t call, ret;
    int turn;
  };
  Stamps stamps;
  std::mutex mutex;
  std::vector<Interval> intervals;
  int turns = 0;
  const auto work = [&] {
    for (int i = 0; i < 2000; ++i) {
      const std::uint32_t call = stamps.before();
      int turn = 0;
      {
        const std::lock_guard lock(mutex);
        turn = turns++;
      }
      const std::uint32_t ret = stamps.after();
      const std::lock_guard lock(mutex);
      intervals.push_back({call, ret, turn});
    }
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
  // The turns are the real order: one that is recorded as before another had its turn before.
  for (const Interval& one : intervals) {
    for (const Interval& other : intervals) {
      if (one.ret < other.call) {
        ASSERT_LT(one.turn, other.turn);
      }
    }
  }
}

}  // namespace
}  // namespace muster
