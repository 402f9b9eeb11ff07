#pragma once
// Small programs at random: a seed gives the same one everywhere.

#include "base/rng.hpp"
#include "search/small_program.hpp"

namespace muster::test {

/// Programs of two to four threads that use a few kinds of objects at a time.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : rng_(seed) {}

  SmallProgram program() {
    SmallProgram program;
    program.semaphore = static_cast<unsigned>(rng_.below(3));
    theme_ = static_cast<unsigned>(rng_.below(themes));
    sleeps_ = program.semaphore == 0;
    const unsigned threads = 2 + static_cast<unsigned>(rng_.below(3));
    const unsigned budget = threads == 2 ? 6 : threads == 3 ? 3 : 2;
    for (unsigned t = 0; t < threads; ++t) {
      auto& code = program.threads.emplace_back();
      while (code.size() < budget) add(code);
    }
    return program;
  }

  /// Threads that try again when others come in between, and some of those.
  SmallProgram crowd() {
    SmallProgram program;
    const unsigned threads = 3 + below(2);
    for (unsigned t = 0; t < threads; ++t) {
      auto& code = program.threads.emplace_back();
      if (below(3) == 0)
        code.push_back({Op::store, below(2), below(3)});
      else
        add_retries(code);
      if (below(4) == 0) add_memory(code);
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
    switch (below(7)) {
      case 0:
        code.push_back({Op::reload_and_retry, x, 0});
        break;
      case 3:
        code.push_back({Op::look_and_retry, x, 0});
        break;
      case 4:
        code.insert(code.end(), {{Op::plain_store, 0, 1}, {Op::add, x, 1}});
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
        code.push_back({sleeps_ ? Op::sleep : Op::clock});
        break;
      default:
        code.push_back({Op::yield});
        break;
    }
  }

  Rng rng_;
  unsigned theme_ = 0;
  /// Instead of looking at the clock: plain search takes it for one step to ask how late it is and to sleep.
  bool sleeps_ = false;
};
}  // namespace muster::test
