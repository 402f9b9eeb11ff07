#pragma once
// Steers the second phase of a check to schedules that an execution without preemptions lets expect something of: the atomicity violations
// that another order of its events would show. Whoever sees all events of executions implements it.

#include <utility>

#include "schedule/strategy.hpp"

namespace muster {

/// What a test does beside the code under test, told to whoever sees events.
struct TestEvents {
  virtual ~TestEvents() = default;
  virtual void started(ThreadId column) = 0;
  virtual void joined(ThreadId column) = 0;
  virtual void called() = 0;
  virtual void returned() = 0;
};
inline TestEvents* test_events = nullptr;

class Steering {
 public:
  virtual ~Steering() = default;

  /// The next executions are recorded, the last of them being kept.
  virtual void record() = 0;
  /// Ends that: the number of predictions, each an order to try.
  virtual std::size_t predict() = 0;
  /// The strategy that follows one of them, good for one execution at a time.
  virtual Strategy& follow(std::size_t prediction) = 0;
  virtual void end() = 0;
};

/// Columns in turn, beginning with one of them, each as far as it gets.
class ColumnOrderStrategy final : public Strategy {
 public:
  explicit ColumnOrderStrategy(ThreadId first) : first_(first) {}
  bool begin_execution(Schedule& schedule) override {
    schedule.truncate(0);
    return !std::exchange(done_, true);
  }
  void rewind() override { done_ = false; }
  std::uint8_t decide(const Point& point) override {
    if (point.kind != PointKind::thread) return 0;
    for (std::uint8_t i = 0; i < point.options.size(); ++i) {
      if (point.options[i] == first_) return i;
    }
    return 0;
  }

 private:
  ThreadId first_;
  bool done_ = false;
};

}  // namespace muster
