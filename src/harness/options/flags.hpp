#pragma once
// The command line of test programs.

#include <optional>

#include "harness/options/options.hpp"

namespace muster {

/// What the command line asks for. A number if that is all done already (help, a completion script) or no command
/// line: the exit code. Throws Error for a value that makes no sense.
std::optional<int> read_command_line(int argc, char** argv, HarnessOptions& options);

}  // namespace muster
