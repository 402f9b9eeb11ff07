// The `muster` command: finds the subcommand and runs it.

#include <array>
#include <utility>

#include "cli/command.hpp"
#include "command/edge.hpp"
#include "command/suggest.hpp"

namespace {

using namespace muster;

struct Command {
  const char* name;
  cli::Action (*add)(CLI::App&);
};

constexpr std::array commands{
    Command{"check", cli::add_check},           Command{"completion", cli::add_completion},
    Command{"distribute", cli::add_distribute}, Command{"manual", cli::add_manual},
    Command{"merge", cli::add_merge},           Command{"new", cli::add_new},
    Command{"predict", cli::add_predict},       Command{"record", cli::add_record},
    Command{"split", cli::add_split},           Command{"trace", cli::add_trace},
    Command{"version", cli::add_version},
};

int run(int argc, char** argv) {
  CLI::App app{"Muster: does your concurrent C++ code pass muster?", "muster"};
  app.require_subcommand(1);
  app.set_version_flag("--version", cli::version_line(), "Print the version and exit");
  app.footer(
      "Example:\n  muster check --spec queue --explain queue.jsonl\n\n`muster COMMAND --help` says more of each.");
  cli::Action chosen;
  for (const Command& command : commands) {
    CLI::App* sub = app.add_subcommand(command.name);
    sub->callback([&chosen, action = command.add(*sub)] { chosen = action; });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return explain_usage(app, error);
  }
  return static_cast<int>(chosen());
}

}  // namespace

int main(int argc, char** argv) { return muster::run_to_the_edge("muster", run, argc, argv); }
