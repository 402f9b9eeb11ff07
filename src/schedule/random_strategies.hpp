#pragma once
// Strategies for what is too large to exhaust. Execution number i of a search depends on the seed and i alone, so the
// same seed gives the same executions, however they are spread over workers and wherever a worker died.

#include <array>
#include <functional>
#include <utility>

#include "base/rng.hpp"
#include "schedule/strategy.hpp"

namespace muster {

/// Gives the number of the next execution, or nothing when there were enough.
using NextNumber = std::function<std::optional<std::uint64_t>()>;

class SeededStrategy : public Strategy {
 public:
  SeededStrategy(std::uint64_t seed, NextNumber next) : seed_(seed), next_(std::move(next)), rng_(seed) {}
  bool begin_execution(Schedule& schedule) final;
  std::uint8_t decide(const Point& point) final;

 protected:
  virtual void prepare() {}
  /// At a point of kind `thread` where the running thread does not wait in a loop, or gives its turn away there.
  virtual std::uint8_t pick(const Point& point) = 0;
  /// The running thread gives its turn away at `point`.
  virtual void gives_way(ThreadId) {}
  Rng& rng() { return rng_; }

 private:
  bool goes_on_spinning(const Point& point);

  std::uint64_t seed_;
  NextNumber next_;
  Rng rng_;
  std::uint64_t patient_ = 0;  // threads that go on spinning in the loop that they are in
};

/// What a point says of a thread that waits in a loop.
enum class Turn : std::uint8_t { none, first, later };
Turn turn_at(const Point& point);

/// Every option with the same chance.
class RandomWalkStrategy final : public SeededStrategy {
 public:
  using SeededStrategy::SeededStrategy;

 private:
  std::uint8_t pick(const Point& point) override;
};

/// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte 2010): threads have random
/// priorities, the highest runs, and at `depth` - 1 random moments the running one drops below all others. Finds a bug
/// of that depth with probability at least 1 / (threads * steps^(depth - 1)).
class PctStrategy final : public SeededStrategy {
 public:
  PctStrategy(std::uint64_t seed, NextNumber next, unsigned depth)
      : SeededStrategy(seed, std::move(next)), depth_(depth) {}
  void end_execution(const Schedule& schedule, Ending) override;

 private:
  void prepare() override;
  std::uint8_t pick(const Point& point) override;
  void gives_way(ThreadId thread) override;
  unsigned depth_;
  std::uint64_t steps_ = 0;
  std::uint64_t longest_ = 64;  // the estimate of how many decisions an execution has
  std::uint64_t lowest_ = 0;
  std::array<std::uint64_t, max_threads> priority_{};
  std::vector<std::uint64_t> changes_;
};

/// Partial order sampling (Yuan, Yang, Gu 2018): pending events have random priorities, drawn anew when a conflicting
/// one was executed.
class PosStrategy final : public SeededStrategy {
 public:
  using SeededStrategy::SeededStrategy;

 private:
  void prepare() override { drawn_.fill(Drawn{}); }
  std::uint8_t pick(const Point& point) override;
  void gives_way(ThreadId thread) override { drawn_[thread].event = ~0u; }
  struct Drawn {
    std::uint32_t event = ~0u;
    std::uint64_t priority = 0;
  };
  std::array<Drawn, max_threads> drawn_{};
};

}  // namespace muster
