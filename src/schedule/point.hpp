#pragma once
// A point is where an execution can go on in more than one way; a decision is the way it took.

#include <cstdint>
#include <span>

#include "base/event.hpp"

namespace muster {

enum class PointKind : std::uint8_t {
  thread,   // which thread makes the next step
  value,    // muster::choose
  waiter,   // which waiter a notification wakes
  block,    // which freed block an allocation gets
  retry,    // under reduction: whether a thread that failed before goes on, or shows nothing new and is given up
  message,  // which value of an atomic is read, or before which one a store comes; the newest first
};

/// What it costs to take another option than the first.
enum class Cost : std::uint8_t {
  free,
  preemption,  // the running thread could have gone on
  late_yield,  // the running thread yields, but not for the first time in this spin episode
};

/// What a thread stored, by thread and step: the same in all executions that have it. 0: none.
using MessageName = std::uint32_t;

/// For a point of kind `thread` an option is a thread, otherwise a value.
using Option = std::uint8_t;

struct Point {
  PointKind kind;
  Cost cost;
  ThreadId running;
  std::span<const Option> options;
  const Event* next;  // what each thread is about to do, by thread; only for points of kind `thread`
  /// Of kind `message`: which one each option is.
  const MessageName* messages = nullptr;
};

}  // namespace muster
