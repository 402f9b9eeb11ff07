// Reduced search must find what plain enumeration finds: outcomes (all that was read, final memory, who is stuck) and
// races, on programs from a generator.

#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "explore/small_program.hpp"
#include "support/property.hpp"

namespace muster::test {
namespace {

/// Programs of two to four threads that use a few kinds of objects at a time.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : rng_(seed) {}

  SmallProgram program() {
    SmallProgram program;
    program.semaphore = static_cast<unsigned>(rng_.below(3));
    theme_ = static_cast<unsigned>(rng_.below(themes));
    const unsigned threads = 2 + static_cast<unsigned>(rng_.below(3));
    const unsigned budget = threads == 2 ? 6 : threads == 3 ? 3 : 2;
    for (unsigned t = 0; t < threads; ++t) {
      auto& code = program.threads.emplace_back();
      while (code.size() < budget) add(code);
    }
    return program;
  }

 private:
  static constexpr unsigned themes = 9;

  unsigned below(unsigned n) { return static_cast<unsigned>(rng_.below(n)); }

  void add(std::vector<Instruction>& code) {
    switch (below(3) == 0 ? 0 : theme_) {
      case 0:
        return add_memory(code);
      case 1:
        return add_locks(code);
      case 2:
        return add_conditions(code);
      case 3:
        return add_semaphores(code);
      case 4:
        return add_futexes(code);
      case 5:
        return add_plain(code);
      case 6:
        return add_shared_locks(code);
      case 7:
        return add_mixed(code);
      default:
        return add_retries(code);
    }
  }

  void add_memory(std::vector<Instruction>& code) {
    const unsigned x = below(2), v = below(3);
    switch (below(7)) {
      case 0:
        code.push_back({Op::load, x});
        break;
      case 1:
        code.push_back({Op::store, x, v});
        break;
      case 2:
        code.push_back({Op::add, x, 1 + below(2)});
        break;
      case 3:
        code.push_back({Op::compare_exchange, x, v, below(3)});
        break;
      case 4:
        code.push_back({Op::exchange, x, v});
        break;
      case 5:
        code.insert(code.end(), {{Op::load, x}, {Op::skip_if, 0, v, 1}, {Op::add, 1 - x, 1}});
        break;
      default:
        code.push_back({Op::choose, 0, 2});
        break;
    }
  }
  void add_locks(std::vector<Instruction>& code) {
    const unsigned m = below(2);
    switch (below(4)) {
      case 0:
        code.insert(code.end(), {{Op::lock, m}, {Op::load, 0}, {Op::unlock, m}});
        break;
      case 1:
        code.insert(code.end(), {{Op::lock, m}, {Op::lock, 1 - m}, {Op::unlock, 1 - m}, {Op::unlock, m}});
        break;
      case 2:
        code.insert(code.end(), {{Op::try_lock, m, 2}, {Op::add, 0, 1}, {Op::unlock, m}});
        break;
      default:
        code.insert(code.end(), {{Op::timed_lock, m, 2}, {Op::load, 0}, {Op::unlock, m}});
        break;
    }
    if (below(8) == 0) code.push_back({Op::lock, m});  // and never gives it back
  }
  void add_conditions(std::vector<Instruction>& code) {
    switch (below(5)) {
      case 0:
        code.insert(code.end(),
                    {{Op::lock, 0}, {Op::load, 0}, {Op::skip_if, 0, 1, 1}, {Op::wait, 0, 0}, {Op::unlock, 0}});
        break;
      case 1:
        code.insert(code.end(), {{Op::lock, 0}, {Op::timed_wait, 0, 0}, {Op::unlock, 0}});
        break;
      case 2:
        code.insert(code.end(), {{Op::lock, 0}, {Op::store, 0, 1}, {Op::notify_one, 0}, {Op::unlock, 0}});
        break;
      case 3:
        code.insert(code.end(), {{Op::store, 0, 1}, {Op::notify_all, 0}});
        break;
      default:
        code.push_back({Op::notify_one, 0});
        break;
    }
  }
  void add_semaphores(std::vector<Instruction>& code) {
    switch (below(4)) {
      case 0:
        code.insert(code.end(), {{Op::acquire, 0}, {Op::load, 0}});
        break;
      case 1:
        code.push_back({Op::release, 0});
        break;
      case 2:
        code.push_back({Op::try_acquire, 0});
        break;
      default:
        code.insert(code.end(), {{Op::acquire, 0}, {Op::add, 0, 1}, {Op::release, 0}});
        break;
    }
  }
  void add_futexes(std::vector<Instruction>& code) {
    switch (below(5)) {
      case 0:
        code.push_back({Op::futex_wait, 0, below(2)});
        break;
      case 1:
        code.push_back({Op::timed_futex_wait, 0, 0});
        break;
      case 2:
        code.insert(code.end(), {{Op::store, 0, 1}, {Op::futex_wake_one, 0}});
        break;
      case 3:
        code.push_back({Op::futex_wake_all, 0});
        break;
      default:
        code.push_back({Op::futex_wake_one, 0});
        break;
    }
  }
  void add_plain(std::vector<Instruction>& code) {
    if (below(2) == 0)
      code.push_back({Op::plain_load, below(2)});
    else
      code.push_back({Op::plain_store, below(2), 1 + below(2)});
  }
  void add_shared_locks(std::vector<Instruction>& code) {
    switch (below(3)) {
      case 0:
        code.insert(code.end(), {{Op::lock_shared, 0}, {Op::load, 0}, {Op::unlock_shared, 0}});
        break;
      case 1:
        code.insert(code.end(), {{Op::lock_exclusive, 0}, {Op::add, 0, 1}, {Op::unlock_shared, 0}});
        break;
      default:
        code.insert(code.end(), {{Op::try_lock_shared, 0, 1}, {Op::unlock_shared, 0}});
        break;
    }
  }
  void add_retries(std::vector<Instruction>& code) {
    const unsigned x = below(2);
    switch (below(5)) {
      case 0:
        code.push_back({Op::reload_and_retry, x, 0});
        break;
      case 1:
        code.push_back({Op::reload_and_retry, x, 1});
        break;
      case 2:
        code.insert(code.end(), {{Op::increment_by_retrying, x}, {Op::store, 1 - x, 1}});
        break;
      default:
        code.push_back({Op::increment_by_retrying, x});
        break;
    }
  }
  void add_mixed(std::vector<Instruction>& code) {
    switch (below(4)) {
      case 0:
        code.push_back({Op::barrier, 0});
        break;
      case 1:
        code.push_back({Op::once, below(2)});
        break;
      case 2:
        code.push_back({Op::clock});
        break;
      default:
        code.push_back({Op::yield});
        break;
    }
  }

  Rng rng_;
  unsigned theme_ = 0;
};

/// A smaller program on which the two searches still differ, for the message.
std::string shrunk(SmallProgram program, const ReductionConfig& config) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t t = 0; t < program.threads.size() && !smaller; ++t) {
      for (std::size_t i = 0; i < program.threads[t].size() && !smaller; ++i) {
        SmallProgram without = program;
        without.threads[t].erase(without.threads[t].begin() + static_cast<std::ptrdiff_t>(i));
        if (difference(plain(without), reduced(without, config)).empty()) continue;
        program = without;
        smaller = true;
      }
    }
  }
  return "\nsmallest:\n" + difference(plain(program), reduced(program, config)) + to_text(program);
}

TEST(Reduction, FindsTheOutcomesOfGeneratedPrograms) {
  const int wanted = cases(100, 2000);
  std::uint64_t plain_executions = 0, complete = 0, reduced_executions = 0;
  for (int seed = 1, compared = 0; compared < wanted; ++seed) {
    const SmallProgram program = Generator(static_cast<std::uint64_t>(seed)).program();
    const Outcomes all = plain(program);
    if (!all.exhausted) continue;
    ++compared;
    const Outcomes found = reduced(program, {});
    ASSERT_EQ(difference(all, found), "") << "seed " << seed << "\n" << to_text(program) << shrunk(program, {});
    ASSERT_TRUE(found.exhausted);
    plain_executions += all.executions;
    complete += found.complete;
    reduced_executions += found.executions;
  }
  RecordProperty("plain", std::to_string(plain_executions));
  RecordProperty("classes", std::to_string(complete));
  RecordProperty("executions", std::to_string(reduced_executions));
  EXPECT_LT(complete, plain_executions / 4);
}

TEST(Reduction, OneNamingOfThreadsWithTheSameCodeShowsTheOutcomesOfAll) {
  const int wanted = cases(25, 2000);
  std::uint64_t all_complete = 0, complete = 0;
  for (int seed = 20001; seed <= 20000 + wanted; ++seed) {
    SmallProgram program = Generator(static_cast<std::uint64_t>(seed)).program();
    program.threads[1] = program.threads[0];
    if (program.threads.size() > 2 && seed % 2) program.threads.back() = program.threads[0];
    const Outcomes all = reduced(program, {});
    if (!all.exhausted || all.executions > 10'000) continue;
    for (const bool every : {false, true}) {
      const Outcomes found = reduced(program, {.every_thread = every, .symmetry = Symmetry::threads});
      ASSERT_EQ(difference(without_names(program, all), without_names(program, found)), "")
          << "seed " << seed << "\n" << to_text(program);
      ASSERT_EQ(difference(all, found).find("made up"), std::string::npos) << "seed " << seed << "\n" << to_text(program);
      complete += found.complete;
    }
    all_complete += all.complete;
  }
  EXPECT_LT(complete / 2, all_complete * 2 / 3);
}

TEST(Reduction, SourceSetsFindTheClassesOfSleepSets) {
  const int wanted = cases(50, 1000);
  for (int seed = 5001; seed <= 5000 + wanted; ++seed) {
    const SmallProgram program = Generator(static_cast<std::uint64_t>(seed)).program();
    const Outcomes every = reduced(program, {.every_thread = true});
    if (!every.exhausted) continue;
    const Outcomes found = reduced(program, {});
    ASSERT_EQ(difference(every, found), "") << "seed " << seed << "\n" << to_text(program);
    ASSERT_EQ(every.complete, found.complete) << "seed " << seed << "\n" << to_text(program);
  }
}

TEST(Reduction, SharedAmongWorkersOrStoppedHasTheSameOutcomesAndAsManyCompleteExecutions) {
  const int wanted = cases(60, 2000);
  for (int seed = 7001; seed <= 7000 + wanted; ++seed) {
    const SmallProgram program = Generator(static_cast<std::uint64_t>(seed)).program();
    const ReductionConfig config = seed % 4 == 0 ? ReductionConfig::with_bound(2) : ReductionConfig{};
    const Outcomes alone = reduced(program, config);
    if (!alone.exhausted || alone.executions > static_cast<std::uint64_t>(cases(10'000, 400'000))) continue;
    const auto stop_once_in = seed % 3 == 0 ? static_cast<unsigned>(alone.executions / 4 + 5) : 0;
    const Outcomes together =
        shared(program, config, 1 + static_cast<unsigned>(seed) % 4, static_cast<std::uint64_t>(seed), stop_once_in);
    ASSERT_EQ(difference(alone, together), "") << "seed " << seed << "\n" << to_text(program);
    ASSERT_EQ(alone.complete, together.complete) << "seed " << seed << "\n" << to_text(program);
  }
}

TEST(Reduction, WithABoundFindsWhatTheBoundHasAndNothingThatThereIsNot) {
  const int wanted = cases(30, 400);
  for (int seed = 1, compared = 0; compared < wanted; ++seed) {
    const SmallProgram program = Generator(static_cast<std::uint64_t>(seed)).program();
    const Outcomes all = plain(program);
    if (!all.exhausted) continue;
    ++compared;
    for (unsigned bound = 0; bound <= 3; ++bound) {
      const std::string text = outside(plain(program, bound), reduced(program, {.preemptions = bound}), all);
      ASSERT_EQ(text, "") << "bound " << bound << ", seed " << seed << "\n" << to_text(program);
    }
  }
}

}  // namespace
}  // namespace muster::test
