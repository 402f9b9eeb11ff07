#pragma once
// Getting a worker process ready for controlled executions.

#include <string>
#include <vector>

#include "runtime/engine.hpp"

namespace muster {

/// Tells the engine what to restore and to watch, and the interposers what is whose. Call once in each worker, before the first execution.
void take_control(Engine& engine);

/// Paths of loaded libraries that are neither instrumented nor part of the system: what happens inside them is invisible.
std::vector<std::string> opaque_libraries();

/// Runs `program` once with the real heap, so that libraries initialise what they keep for ever, and forgets what happened.
void warm_up(Engine& engine, const Program& program);

}  // namespace muster
