#include <fmt/core.h>

#include "cli/command.hpp"

namespace muster::cli {

std::string version_line() { return "muster " MUSTER_VERSION; }

Action add_version(CLI::App& app) {
  app.description("Print the version");
  app.footer("Example:\n  muster version");
  return [] {
    fmt::print("{}\n", version_line());
    return ExitCode::no_finding;
  };
}

}  // namespace muster::cli
