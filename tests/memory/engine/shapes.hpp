#pragma once
// The shapes of litmus tests, each with all memory orders that its accesses may have.

#include <functional>

#include "memory/program.hpp"

namespace muster::weak {

/// How many programs there are, the same in every run.
unsigned for_each_litmus_test(const std::function<void(const Program&)>& visit);

}  // namespace muster::weak
