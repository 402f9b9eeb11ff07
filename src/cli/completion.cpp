// `muster completion` and `muster manual`: what shells and `man` want to know, from the command line's own definition.

#include <fmt/core.h>

#include <filesystem>
#include <fstream>

#include "cli/command.hpp"
#include "command/manual.hpp"
#include "command/values.hpp"

namespace muster::cli {

Action add_completion(CLI::App& app) {
  app.description("Print a completion script for a shell");
  app.footer("Example:\n  muster completion bash > ~/.local/share/bash-completion/completions/muster");
  const auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(one_of({"bash", "zsh", "fish"}));
  return [shell, &app] {
    const Shell kind = *shell == "bash" ? Shell::bash : *shell == "zsh" ? Shell::zsh : Shell::fish;
    fmt::print("{}", completion_script(*app.get_parent(), kind));
    return ExitCode::no_finding;
  };
}

Action add_manual(CLI::App& app) {
  app.description("Write the manual pages, one for each command");
  app.footer("Example:\n  muster manual ~/.local/share/man/man1 && man muster-check");
  const auto folder = std::make_shared<std::string>();
  app.add_option("FOLDER", *folder, "Where to write them")->required();
  return [folder, &app] {
    std::filesystem::create_directories(*folder);
    const auto write = [&](const CLI::App& command, const std::string& name) {
      const std::filesystem::path path = std::filesystem::path(*folder) / (name + ".1");
      std::ofstream file(path);
      file << manual_page(command, name, MUSTER_VERSION);
      if (!file.flush()) fail("{}: cannot be written", path.string());
    };
    const CLI::App& muster = *app.get_parent();
    write(muster, "muster");
    for (const CLI::App* command : muster.get_subcommands([](const CLI::App*) { return true; }))
      write(*command, "muster-" + command->get_name());
    return ExitCode::no_finding;
  };
}

}  // namespace muster::cli
