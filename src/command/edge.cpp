#include "command/edge.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <exception>

#include "base/error.hpp"

namespace muster {

int run_to_the_edge(std::string_view program, int (*run)(int, char**), int argc, char** argv) {
  int code = static_cast<int>(ExitCode::bad_input);
  complaint_of(program, [&] { code = run(argc, argv); });
  return code;
}

std::optional<std::string> complaint_of(std::string_view program, const std::function<void()>& part) {
  try {
    part();
  } catch (const std::exception& error) {
    std::fflush(stdout);  // what was said before comes first
    fmt::print(stderr, "{}: {}\n", program, error.what());
    return error.what();
  }
  return std::nullopt;
}

}  // namespace muster
