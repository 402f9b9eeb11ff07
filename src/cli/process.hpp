#pragma once
// Starting another program and waiting for it.

#include <string>
#include <utility>
#include <vector>

namespace muster::cli {

struct ProcessEnd {
  int code = 0;    // as a shell tells it: 128 + n for signal n
  int signal = 0;  // that ended it, if any
};

/// Runs `command` with these variables added to the environment. Throws Error if it cannot be started.
ProcessEnd run_process(const std::vector<std::string>& command,
                       const std::vector<std::pair<std::string, std::string>>& environment);

}  // namespace muster::cli
