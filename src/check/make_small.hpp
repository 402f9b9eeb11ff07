#pragma once
// Makes a failing test small in a worker of its own: what a smaller test does to its process must not lose the failure.

#include "check/run.hpp"

namespace muster {

/// The smallest failure that was found until there was no more time.
Failure make_small(const CheckDefinition& check, Failure failure, const CheckRunOptions& options,
                   const RuntimeOptions& runtime);

}  // namespace muster
