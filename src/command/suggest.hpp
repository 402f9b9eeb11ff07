#pragma once
// What to say where a word of a command line is not known: the nearest ones that are.

#include <CLI/CLI.hpp>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// The known word that is fewest changes of a letter away; empty if none is near.
std::string nearest(std::string_view word, std::span<const std::string> known);

/// "; did you mean 'queue'?" for "qeue"; empty if no known word is near.
template <std::ranges::input_range Words>
std::string did_you_mean(std::string_view word, const Words& known) {
  const std::vector<std::string> words(std::ranges::begin(known), std::ranges::end(known));
  const std::string near = nearest(word, words);
  return near.empty() ? near : "; did you mean '" + near + "'?";
}

/// Prints help or the error, with the nearest flag or subcommand where one was not known. Gives the exit code: 0 for
/// help, 2 otherwise.
int explain_usage(const CLI::App& app, const CLI::ParseError& error);

}  // namespace muster
