#pragma once
// Depth-first search over all schedules with at most so many preemptions and late yields. The schedule itself is the
// search stack.

#include "schedule/strategy.hpp"

namespace muster {

struct DepthFirstBounds {
  static constexpr unsigned unbounded = 1 << 20;
  unsigned preemptions = 2;
  unsigned late_yields = 0;
};

class DepthFirstStrategy final : public Strategy, public Traversal {
 public:
  /// Starts at the root, or, for a job that another search gave away, in the subtree of the last decision of
  /// `schedule`.
  explicit DepthFirstStrategy(DepthFirstBounds bounds) : bounds_(bounds) {}

  /// Goes on from the schedule of an execution that ended with the process that ran it, or takes over a job.
  enum class Start { at_root, with_schedule, after_schedule };
  DepthFirstStrategy(DepthFirstBounds bounds, Start start) : bounds_(bounds), start_(start) {}

  bool begin_execution(Schedule& schedule) override;
  /// Other executions were made since its last one: the next one shares no points with the one before it.
  void was_interrupted() { has_run_ = false; }
  std::uint8_t decide(const Point&) override { return 0; }
  Manners manners() const override { return {.takes_first = true, .prunes = true, .begins_again = true}; }
  Traversal* traversal() override { return this; }
  std::optional<std::vector<Decision>> split(Schedule& schedule) override;
  std::optional<Return> comes_back() const override {
    return Return{shares_prefix_ ? kept_ : 0, bounds_.preemptions, bounds_.late_yields};
  }
  double share_done(const Schedule& schedule) const override;
  LeftOut left_out() const override { return left_out_; }

 private:
  struct Spent {
    unsigned preemptions = 0;
    unsigned late_yields = 0;
    void add(const Decision& d, int sign);
  };

  bool affordable(const Decision& decision, const Spent& before);
  bool advance(Schedule& schedule);

  DepthFirstBounds bounds_;
  Start start_ = Start::at_root;
  bool has_run_ = false;        // an execution of this very search
  bool shares_prefix_ = false;  // with an execution of this very search
  std::uint32_t kept_ = 0;      // decisions before the last one that this search changed
  Spent before_kept_;           // by them
  LeftOut left_out_;
};

}  // namespace muster
