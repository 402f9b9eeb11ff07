#pragma once
// Manual pages and shell completion, made from the definition of the command line itself.

#include <CLI/CLI.hpp>
#include <string>

namespace muster {

/// A page for `man`, in section 1. `name` is what the page is called: "muster-check".
std::string manual_page(const CLI::App& app, const std::string& name, const std::string& version);

enum class Shell { bash, zsh, fish };

/// A script that completes subcommands, flags, and the words that flags take.
std::string completion_script(const CLI::App& app, Shell shell);

}  // namespace muster
