// Contexts in both modes: each has a stack and thread-locals of its own, and goes on where it was left.

#include "fiber/context.hpp"

#include <errno.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>

#include <functional>
#include <stdexcept>
#include <string>

namespace muster {
namespace {

constexpr std::size_t stack_size = 256 << 10;
thread_local int told_apart = 7;

std::byte* stacks_for(unsigned contexts) {
  void* memory = mmap(nullptr, contexts * stack_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

class Contexts : public testing::TestWithParam<ContextMode> {
 protected:
  static constexpr unsigned count = 3;

  void SetUp() override {
    if (GetParam() == ContextMode::fiber && preferred_context_mode() != ContextMode::fiber)
      GTEST_SKIP() << "no fibers here: MUSTER_THREADS=kernel, or the processor does not let us set the FS base";
  }

  /// Runs `work` on a context until it leaves for good.
  void begin(unsigned i, std::function<void()> work) {
    works_[i] = {this, std::move(work)};
    pool_[i].prepare(
        [](void* work) {
          auto& mine = *static_cast<Work*>(work);
          mine.body();
          mine.test->leave();
        },
        &works_[i]);
  }
  void enter(unsigned i) {
    running_ = &pool_[i];
    Context::switch_to(pool_.host(), *running_);
    running_ = nullptr;
  }
  void leave() { Context::switch_to(*running_, pool_.host()); }

  ContextPool& pool_ = *new ContextPool(GetParam(), stacks_for(count), stack_size);  // its donors never end
  std::string log_;

 private:
  struct Work {
    Contexts* test = nullptr;
    std::function<void()> body;
  };
  Work works_[count];
  Context* running_ = nullptr;
};

TEST_P(Contexts, GoOnWhereTheyWereLeft) {
  for (unsigned i = 0; i < count; ++i) {
    begin(i, [this, i] {
      for (int turn = 0; turn < 3; ++turn) {
        log_ += static_cast<char>('a' + i);
        log_ += static_cast<char>('0' + turn);
        leave();
      }
    });
  }
  for (const unsigned i : {0u, 1u, 1u, 2u, 0u, 2u, 1u, 0u, 2u}) enter(i);
  EXPECT_EQ(log_, "a0b0b1c0a1c1b2a2c2");
}

TEST_P(Contexts, HaveThreadLocalsOfTheirOwnWithTheirFirstValues) {
  told_apart = 1;
  errno = EPERM;
  for (unsigned i = 0; i < 2; ++i) {
    begin(i, [this, i] {
      log_ += std::to_string(told_apart);
      told_apart = static_cast<int>(10 + i);
      errno = static_cast<int>(100 + i);
      leave();
      log_ += " " + std::to_string(told_apart) + " " + std::to_string(errno);
    });
  }
  enter(0);
  enter(1);
  enter(0);
  enter(1);
  EXPECT_EQ(log_, "77 10 100 11 101");
  EXPECT_EQ(told_apart, 1);
  EXPECT_EQ(errno, EPERM);
}

TEST_P(Contexts, BeginAnewOnceTheyArePreparedAgain) {
  for (int time = 0; time < 2; ++time) {
    begin(0, [this] {
      log_ += std::to_string(told_apart);
      told_apart = 99;
      leave();
      log_ += "never";
    });
    enter(0);
  }
  EXPECT_EQ(log_, "77");
}

TEST_P(Contexts, ThrowAndCatchAcrossSwitches) {
  for (unsigned i = 0; i < 2; ++i) {
    begin(i, [this, i] {
      try {
        throw std::runtime_error(i == 0 ? "first" : "second");
      } catch (const std::runtime_error& error) {
        leave();
        log_ += error.what();
        log_ += ' ';
      }
    });
  }
  for (const unsigned i : {0u, 1u, 0u, 1u}) enter(i);
  EXPECT_EQ(log_, "first second ");
}

TEST_P(Contexts, KnowTheirStackAndTheirThread) {
  const std::byte* local = nullptr;
  pthread_t self{};
  begin(1, [&] {
    std::byte here{};
    local = &here;
    self = pthread_self();
    leave();
  });
  enter(1);
  EXPECT_GE(local, pool_[1].stack_low());
  EXPECT_LT(local, pool_[1].stack_high());
  EXPECT_EQ(self, pool_[1].handle());
  EXPECT_NE(self, pthread_self());
  if (GetParam() == ContextMode::fiber) {  // only there is the stack looked at
    const auto in_use = pool_[1].stack_in_use();
    EXPECT_GE(local, in_use.data());
    EXPECT_LT(local, in_use.data() + in_use.size());
  }
}

TEST_P(Contexts, TellTheirThreadLocalsApartByAHash) {
  begin(0, [this] {
    leave();
    told_apart = 8;
    leave();
    told_apart = 7;
    leave();
  });
  enter(0);
  const std::uint64_t first = pool_[0].thread_locals_hash();
  enter(0);
  const std::uint64_t changed = pool_[0].thread_locals_hash();
  enter(0);
  EXPECT_NE(first, changed);
  EXPECT_EQ(first, pool_[0].thread_locals_hash());
}

INSTANTIATE_TEST_SUITE_P(Modes, Contexts, testing::Values(ContextMode::fiber, ContextMode::kernel),
                         [](const auto& info) { return info.param == ContextMode::fiber ? "Fiber" : "Kernel"; });

}  // namespace
}  // namespace muster
