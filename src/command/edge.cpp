#include "command/edge.hpp"

#include <fmt/core.h>

#include "base/error.hpp"

namespace muster {

int run_to_the_edge(std::string_view program, int (*run)(int, char**), int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    fmt::print(stderr, "{}: {}\n", program, error.what());
    return static_cast<int>(ExitCode::bad_input);
  }
}

}  // namespace muster
