#pragma once
// Serial runs under control, between the executions of a test: what blocks is seen to block, and every choice is tried.

#include <memory>

#include "check/check_test.hpp"
#include "rule/serial_runs.hpp"

namespace muster {

/// In a serial execution nothing fails spuriously, and waits expire only when nothing else can happen; unless asked
/// for.
RuntimeOptions serial_options(RuntimeOptions options, bool unlucky);

/// `test` is one whose calls will be asked for. The result refers to `bench`.
std::unique_ptr<SerialRuns> controlled_runs(CheckBench& bench, const Test& test);

}  // namespace muster
