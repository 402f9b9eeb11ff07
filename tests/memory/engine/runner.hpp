#pragma once
// Programs of the model, run by the engine itself: threads make the accesses that the code says, by way of the runtime.

#include <cstdint>
#include <string>

#include "memory/outcome.hpp"
#include "runtime/program.hpp"

namespace muster::weak {

struct Explored {
  Outcomes outcomes;
  bool exhausted = false;
  std::uint64_t executions = 0;
  std::uint64_t older = 0;  // that have a choice which is not the newest
  std::string trouble;      // what was told that should not be
};

/// So many executions of a random walk.
Explored sample(const Program& program, const RuntimeOptions& options, std::uint64_t seed, std::uint64_t executions);

/// A search of one execution of each class; `every_thread`: by sleep sets alone.
Explored explore_classes(const Program& program, const RuntimeOptions& options, bool every_thread,
                         std::uint64_t most_executions = 50'000);

/// A depth-first search of all schedules.
Explored explore(const Program& program, const RuntimeOptions& options, std::uint64_t most_executions = 50'000);

}  // namespace muster::weak
