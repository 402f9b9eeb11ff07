#pragma once
// Replays of one schedule, of a reduced search or another one.

#include <utility>
#include <vector>

#include "reduction/reducer.hpp"
#include "schedule/strategy.hpp"

namespace muster {

/// Repeats one schedule, once; past its end it takes the first option, or ends.
class ReplayStrategy final : public Strategy, public Reducer {
 public:
  explicit ReplayStrategy(std::vector<Decision> decisions, bool ends_with_them = false)
      : decisions_(std::move(decisions)), ends_with_them_(ends_with_them) {}
  bool begin_execution(Schedule& schedule) override;
  std::uint8_t decide(const Point&) override { return ends_with_them_ ? abandon : 0; }
  Reducer* reducer() override { return !decisions_.empty() && decisions_.front().reduced ? this : nullptr; }
  Symmetry symmetry() const override { return decisions_.empty() ? Symmetry::none : decisions_.front().symmetry; }
  MemoryModel memory_model(MemoryModel) const override {
    return decisions_.empty() ? MemoryModel::sc : decisions_.front().memory_model;
  }

 private:
  std::vector<Decision> decisions_;
  bool ends_with_them_;
  bool done_ = false;
};

}  // namespace muster
