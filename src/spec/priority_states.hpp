#pragma once
// States of priority queues that share what they have in common, so that long histories need not copy their content at
// every step.

#include <memory>

#include "spec/spec.hpp"

namespace muster {

/// Method 0 puts in, 1 takes out, 2 looks; nil when empty. The same behaviour as the models in containers.cpp.
std::unique_ptr<StateSpace> smallest_first_states();
std::unique_ptr<StateSpace> largest_first_states();

}  // namespace muster
