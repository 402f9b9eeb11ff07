#pragma once
// Steers the second phase of a check to schedules that an execution without preemptions lets expect something of: the
// atomicity violations that another order of its events would show. Whoever sees all events of executions implements
// it.

#include <cstddef>

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

  /// The next execution is recorded.
  virtual void record() = 0;
  /// Ends that: the number of orders to try that were not tried before in this test.
  virtual std::size_t predict() = 0;
  /// The strategy that follows one of them, good for one execution at a time.
  virtual Strategy& follow(std::size_t prediction) = 0;
  /// The test has no more of them.
  virtual void end() = 0;
};

}  // namespace muster
