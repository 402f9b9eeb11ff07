// The `muster` command: finds the subcommand, runs it, and turns bad input into one line and exit code 2.

#include <fmt/core.h>

#include <array>
#include <cstdio>
#include <utility>

#include "cli/command.hpp"

namespace {

using namespace muster;

struct Command {
  const char* name;
  cli::Action (*add)(CLI::App&);
};

constexpr std::array commands{
    Command{"check", cli::add_check},
    Command{"new", cli::add_new},
    Command{"predict", cli::add_predict},
    Command{"record", cli::add_record},
    Command{"trace", cli::add_trace},
    Command{"version", cli::add_version},
};

int run(int argc, char** argv) {
  CLI::App app{"Muster: does your concurrent C++ code pass muster?", "muster"};
  app.require_subcommand(1);
  cli::Action chosen;
  for (const Command& command : commands) {
    CLI::App* sub = app.add_subcommand(command.name);
    sub->callback([&chosen, action = command.add(*sub)] { chosen = action; });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? 0 : static_cast<int>(ExitCode::bad_input);
  }
  return static_cast<int>(chosen());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const muster::Error& error) {
    fmt::print(stderr, "muster: {}\n", error.what());
    return static_cast<int>(muster::ExitCode::bad_input);
  }
}
