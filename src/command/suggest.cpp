#include "command/suggest.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace muster {
namespace {

/// Letters inserted, removed, replaced, or swapped with their neighbour.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_before, before(b.size() + 1), row(b.size() + 1);
  std::iota(before.begin(), before.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], two_before[j - 2] + 1);
    }
    two_before = before;
    before = row;
  }
  return before[b.size()];
}

/// The last of the subcommands that were chosen, with the names of all of them: "muster trace count".
std::pair<const CLI::App*, std::string> innermost(const CLI::App& app, std::string names = {}) {
  names += (names.empty() ? "" : " ") + app.get_name();
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? std::pair(&app, names) : innermost(*chosen.front(), names);
}

std::vector<std::string> words_of(const CLI::App& app, bool flags) {
  std::vector<std::string> words;
  if (!flags) {
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
      words.push_back(sub->get_name());
    return words;
  }
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
  return words;
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> known) {
  const std::size_t farthest = std::max<std::size_t>(1, word.size() / 3);
  std::string best;
  std::size_t least = farthest + 1;
  for (const std::string& candidate : known) {
    const std::size_t away = distance(word, candidate);
    if (away < least) {
      least = away;
      best = candidate;
    }
  }
  return best;
}

int explain_usage(const CLI::App& app, const CLI::ParseError& error) {
  // The name of such an error is that of the command, so its code says what it is.
  const bool unknown_word = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) ||
                            error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
  const std::vector<std::string> extras = app.remaining(true);
  const bool has_commands = !app.get_subcommands([](const CLI::App*) { return true; }).empty();
  if (unknown_word && extras.empty() && has_commands && app.get_subcommands().empty()) {  // no command was given
    fmt::print(stderr, "{}", app.help());
    return static_cast<int>(ExitCode::bad_input);
  }
  const auto [where, names] = innermost(app);
  // What our own checks of values say goes on from the option's name.
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ValidationError)) {
    std::string sentence = error.what();
    if (const auto colon = sentence.find(": takes "); colon != std::string::npos) sentence.erase(colon, 1);
    fmt::print(stderr, "{}: {}\n", names, sentence);
    return static_cast<int>(ExitCode::bad_input);
  }
  if (!unknown_word || extras.empty()) return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::bad_input);
  std::string word = extras.front();
  word.erase(std::min(word.find('='), word.size()));
  const bool flag = word.starts_with("-");
  fmt::print(stderr, "{}: there is no {} {}", names, flag ? "flag" : "command", word);
  const std::string near = nearest(word, words_of(*where, flag));
  fmt::print(stderr, "{}\n", near.empty() ? "; --help lists those there are" : fmt::format("; did you mean {}?", near));
  return static_cast<int>(ExitCode::bad_input);
}

}  // namespace muster
