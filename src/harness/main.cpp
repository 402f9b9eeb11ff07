// The main of test programs.

#include <csignal>

#include "command/edge.hpp"
#include "harness/options/flags.hpp"
#include "harness/session/session.hpp"

namespace muster {
namespace {

volatile std::sig_atomic_t interrupted = 0;

int run(int argc, char** argv) {
  HarnessOptions options;
  if (const auto code = read_command_line(argc, argv, options)) return *code;
  for (const int stop : {SIGINT, SIGTERM}) std::signal(stop, [](int) { interrupted = 1; });
  options.explore.interrupted = [] { return interrupted != 0; };
  return static_cast<int>(Session(std::move(options)).run());
}

}  // namespace
}  // namespace muster

/// What the `main` that muster_add_check links calls.
extern "C" __attribute__((visibility("default"))) int muster_main(int argc, char** argv) {
  return muster::run_to_the_edge(argc > 0 ? argv[0] : "muster", muster::run, argc, argv);
}
