#pragma once
// Draws executions by partial order sampling, PCT and the selectively uniform random walk in turn: what one of them
// hardly ever meets another one often finds at once.

#include <array>
#include <memory>

#include "schedule/surw_strategy.hpp"

namespace muster {

class MixedStrategy final : public Strategy {
 public:
  MixedStrategy(std::uint64_t seed, NextNumber next, unsigned pct_depth)
      : next_(std::move(next)),
        members_{std::make_unique<PosStrategy>(seed, number()),
                 std::make_unique<PctStrategy>(seed, number(), pct_depth),
                 std::make_unique<SurwStrategy>(seed, number())} {}

  bool begin_execution(Schedule& schedule) override {
    number_ = next_();
    if (!number_) return false;
    current_ = members_[*number_ % members_.size()].get();
    return current_->begin_execution(schedule);
  }
  std::uint8_t decide(const Point& point) override { return current_->decide(point); }
  Manners manners() const override { return current_ ? current_->manners() : Manners(); }
  void executed(const Event& event) override { current_->executed(event); }
  void end_execution(const Schedule& schedule, Ending ending) override { current_->end_execution(schedule, ending); }

 private:
  NextNumber number() {
    return [this] { return number_; };
  }

  NextNumber next_;
  std::optional<std::uint64_t> number_;
  std::array<std::unique_ptr<Strategy>, 3> members_;
  Strategy* current_ = nullptr;
};

}  // namespace muster
