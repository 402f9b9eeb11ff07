#pragma once
// Executions that are too long.

#include <cstdint>
#include <string>

#include "runtime/program.hpp"
#include "schedule/schedule.hpp"

namespace muster {

/// Reduction compares each step with those before it; an execution as long as this one waits in a loop that is not cut.
constexpr std::uint32_t longest_reduced = 4'000;

/// By which limit an execution was cut that made these decisions, and what changes it.
std::string why_cut(const Schedule& schedule, const RuntimeOptions& options);

}  // namespace muster
