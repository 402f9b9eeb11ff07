#pragma once
// States of queues and stacks that share what they have in common, so that long histories need not copy their content
// at every step.

#include <memory>

#include "spec/spec.hpp"

namespace muster {

/// Method 0 puts in at the back, 1 takes out, 2 looks; nil when empty. The same behaviour as the models in
/// containers.cpp.
std::unique_ptr<StateSpace> queue_states();
std::unique_ptr<StateSpace> stack_states();

}  // namespace muster
