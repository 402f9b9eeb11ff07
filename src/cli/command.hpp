#pragma once
// The subcommands of `muster`, a file each. A command adds its flags to its own CLI::App and gives back what to run.

#include <CLI/CLI.hpp>
#include <functional>

#include "base/error.hpp"

namespace muster::cli {

using Action = std::function<ExitCode()>;

Action add_version(CLI::App& app);
Action add_check(CLI::App& app);

}  // namespace muster::cli
