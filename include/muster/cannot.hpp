#pragma once
// How a sequential model says that a call cannot happen in its state: a lock that is held, an empty queue that blocks.

#include <optional>

namespace muster {

/// What a call gives that cannot happen in the object's state, or else its result.
template <class T>
struct Cannot : std::optional<T> {
  using std::optional<T>::optional;
};

/// Thrown by the model of a check: `if (!set) throw muster::Blocks();`
struct Blocks {};

}  // namespace muster
