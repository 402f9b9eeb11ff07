#pragma once
// What is only appended to, where reads show the whole of it: the longest read reveals the order of all that it holds.

#include <memory>
#include <span>

#include "spec/spec.hpp"

namespace muster {

/// States of one key of a key-value store, for these operations alone. Null unless they are reads and appends, of texts
/// or of items of a list, and every answer is of that kind.
///
/// Each state on the way to the longest read is a beginning of what it answered, so a state is a length, and an append
/// that does not go on as it did is not legal. What goes beyond it nobody reads: all that is one state.
std::unique_ptr<StateSpace> revealed_states(const Binding& binding, std::span<const OperationId> ids);

}  // namespace muster
