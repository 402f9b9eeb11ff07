#pragma once
// Draws one execution after the other out of the tree that a depth-first search would explore, and weighs each by the
// chance it had: the mean of the weights tends to the number of executions there are (Knuth, "Estimating the Efficiency
// of Backtrack Programs", 1975). Under a bound, options are not drawn with equal chances as they are there: a costly
// option is worth what could still be paid after it.

#include "base/rng.hpp"
#include "schedule/depth_first_strategy.hpp"

namespace muster {

class ProbeStrategy final : public Strategy, public Traversal {
 public:
  ProbeStrategy(DepthFirstBounds bounds, std::uint64_t seed) : bounds_(bounds), rng_(seed) {}

  bool begin_execution(Schedule& schedule) override;
  std::uint8_t decide(const Point& point) override;
  void end_execution(const Schedule& schedule, Ending ending) override;
  Manners manners() const override { return {.prunes = true}; }
  Traversal* traversal() override { return this; }
  LeftOut left_out() const override { return {preemptions_.cut, late_yields_.cut}; }

  /// Of the last execution.
  double weight() const { return weight_; }

 private:
  /// What may be spent on options that cost something.
  struct Purse {
    unsigned left = 0;
    unsigned met = 0;      // decisions of this execution at which it could be spent
    double expected = 16;  // such decisions in an execution
    bool cut = false;      // something was left out because it was empty
    void refill(unsigned bound);
  };
  std::uint8_t draw(const Point& point, Purse& purse);

  DepthFirstBounds bounds_;
  Rng rng_;
  double weight_ = 1;
  Purse preemptions_, late_yields_;
};

}  // namespace muster
