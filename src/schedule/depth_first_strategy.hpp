#pragma once
// Depth-first search over all schedules with at most so many preemptions and late yields. The schedule itself is the search stack.

#include "schedule/strategy.hpp"

namespace muster {

struct DepthFirstBounds {
  static constexpr unsigned unbounded = 1 << 20;
  unsigned preemptions = 2;
  unsigned late_yields = 0;
};

class DepthFirstStrategy final : public Strategy {
 public:
  /// Starts at the root, or, for a job that another search gave away, in the subtree of the last decision of `schedule`.
  explicit DepthFirstStrategy(DepthFirstBounds bounds) : bounds_(bounds) {}

  /// Goes on from the schedule of an execution that ended with the process that ran it, or takes over a job.
  enum class Start { at_root, with_schedule, after_schedule };
  DepthFirstStrategy(DepthFirstBounds bounds, Start start) : bounds_(bounds), start_(start) {}

  bool begin_execution(Schedule& schedule) override;
  std::uint8_t decide(const Point&) override { return 0; }
  bool takes_first() const override { return true; }
  std::optional<std::vector<Decision>> split(Schedule& schedule) override;
  bool begins_again() const override { return true; }
  bool prunes() const override { return true; }
  bool comes_back(Return& to) const override {
    to = {shares_prefix_ ? kept_ : 0, bounds_.preemptions, bounds_.late_yields};
    return true;
  }
  double share_done(const Schedule& schedule) const override;
  bool cut_by_preemptions() const override { return cut_by_preemptions_; }
  bool cut_by_late_yields() const override { return cut_by_late_yields_; }

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
  bool has_run_ = false;    // an execution of this very search
  bool shares_prefix_ = false;  // with an execution of this very search
  std::uint32_t kept_ = 0;      // decisions before the last one that this search changed
  Spent before_kept_;           // by them
  bool cut_by_preemptions_ = false;
  bool cut_by_late_yields_ = false;
};

}  // namespace muster
