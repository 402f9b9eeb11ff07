#include <fmt/core.h>

#include "cli/command.hpp"

namespace muster::cli {

Action add_version(CLI::App& app) {
  app.description("Print the version");
  app.footer("Example:\n  muster version");
  return [] {
    fmt::print("muster {}\n", MUSTER_VERSION);
    return ExitCode::no_finding;
  };
}

}  // namespace muster::cli
