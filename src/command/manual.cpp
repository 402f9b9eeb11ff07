#include "command/manual.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace muster {
namespace {

std::vector<const CLI::App*> subcommands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* sub) { return !sub->get_name().empty() && !sub->get_group().empty(); });
}

/// Hyphens that may be copied, no line that begins with a command of roff.
std::string roff(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool line_start = i == 0 || text[i - 1] == '\n';
    if (line_start && (text[i] == '.' || text[i] == '\'')) out += "\\&";
    if (text[i] == '-')
      out += "\\-";
    else if (text[i] == '\\')
      out += "\\e";
    else
      out += text[i];
  }
  return out;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// The words a flag is limited to: "{a,b}" in its type.
std::vector<std::string> choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find('{'), close = type.find('}');
  std::vector<std::string> words;
  if (open == std::string::npos || close == std::string::npos) return words;
  std::string word;
  for (const char c : type.substr(open + 1, close - open - 1) + ",") {
    if (c != ',') {
      word += c;
      continue;
    }
    words.push_back(std::exchange(word, {}));
  }
  return words;
}

std::string options_section(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* option : app.get_options()) {
    const auto names = names_of(*option);
    std::string head = names.empty() ? option->get_name(true) : fmt::format("{}", fmt::join(names, ", "));
    if (!names.empty() && takes_value(*option))
      head += choices(*option).empty() ? " VALUE" : fmt::format(" {}", fmt::join(choices(*option), "|"));
    out += fmt::format(
        ".TP\n.B {}\n{}{}\n", roff(head), roff(option->get_description()),
        option->get_default_str().empty() ? "" : roff(fmt::format(" (default: {})", option->get_default_str())));
  }
  return out;
}

std::string bash(const CLI::App& app) {
  std::string cases;
  std::vector<std::string> paths;  // of all commands
  const auto add = [&](const CLI::App& command, const std::string& path, auto&& self) -> void {
    std::vector<std::string> words;
    for (const CLI::App* sub : subcommands(command)) words.push_back(sub->get_name());
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : names_of(*option)) words.push_back(name);
      if (names_of(*option).empty()) std::ranges::copy(choices(*option), std::back_inserter(words));
      for (const std::string& name : names_of(*option)) {
        if (!choices(*option).empty())
          cases += fmt::format("    '{} {}') words='{}' ;;\n", path, name, fmt::join(choices(*option), " "));
        else if (takes_value(*option))
          cases += fmt::format("    '{} {}') words= ;;\n", path, name);
      }
    }
    cases += fmt::format("    '{} '*) words='{}' ;;\n", path, fmt::join(words, " "));
    for (const CLI::App* sub : subcommands(command)) {
      paths.push_back(fmt::format("'{} {}'", path, sub->get_name()));
      self(*sub, path + " " + sub->get_name(), self);
    }
  };
  add(app, app.get_name(), add);
  // The longest path comes last, so the order is turned round: the first pattern that fits wins.
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < cases.size();) {
    const std::size_t end = cases.find('\n', at);
    lines.push_back(cases.substr(at, end - at));
    at = end + 1;
  }
  std::stable_sort(lines.begin(), lines.end(), [](const std::string& a, const std::string& b) {
    return std::count(a.begin(), a.begin() + static_cast<long>(a.find(')')), ' ') >
           std::count(b.begin(), b.begin() + static_cast<long>(b.find(')')), ' ');
  });
  return fmt::format(
      "# bash completion of {0}; put it where bash-completion looks, or source it\n"
      "_{0}() {{\n  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} path={0} words= i\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n    case \"$path ${{COMP_WORDS[i]}}\" in {2}) path=\"$path "
      "${{COMP_WORDS[i]}}\" ;; esac\n  done\n"
      "  case \"$path $before\" in\n{1}\n  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n  [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- "
      "\"$word\"))\n}}\n"
      "complete -o filenames -F _{0} {0}\n",
      app.get_name(), fmt::join(lines, "\n"), paths.empty() ? "''" : fmt::format("{}", fmt::join(paths, "|")));
}

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

std::string fish(const CLI::App& app) {
  std::string out = fmt::format("# fish completion of {}\n", app.get_name());
  const auto add_flags = [&](const CLI::App& command, const std::string& condition) {
    for (const CLI::Option* option : command.get_options()) {
      if (names_of(*option).empty()) continue;
      out += fmt::format("complete -c {} {}", app.get_name(), condition);
      for (const std::string& name : option->get_snames()) out += " -s " + name;
      for (const std::string& name : option->get_lnames()) out += " -l " + name;
      if (!choices(*option).empty())
        out += fmt::format(" -x -a '{}'", fmt::join(choices(*option), " "));
      else if (takes_value(*option))
        out += " -r";
      out += " -d " + in_quotes(option->get_description()) + "\n";
    }
  };
  add_flags(app, "-n __fish_use_subcommand");
  for (const CLI::App* sub : subcommands(app)) {
    out += fmt::format("complete -c {} -n __fish_use_subcommand -a {} -d {}\n", app.get_name(), sub->get_name(),
                       in_quotes(sub->get_description()));
    add_flags(*sub, fmt::format("-n '__fish_seen_subcommand_from {}'", sub->get_name()));
  }
  return out;
}

std::string zsh(const CLI::App& app) {
  // zsh runs bash's completions as they are.
  return fmt::format("#compdef {0}\nautoload -U +X bashcompinit && bashcompinit\n{1}", app.get_name(), bash(app));
}

}  // namespace

std::string manual_page(const CLI::App& app, const std::string& name, const std::string& version) {
  std::string usage = name;
  std::replace(usage.begin(), usage.end(), '-', ' ');
  std::string upper = name;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string out = fmt::format(".TH {} 1 \"\" \"Muster {}\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.B {}\n", roff(upper),
                                version, roff(name), roff(app.get_description()), roff(usage));
  if (!subcommands(app).empty()) out += ".I COMMAND\n";
  out += "[\\fIOPTIONS\\fR]";
  for (const CLI::Option* option : app.get_options()) {
    if (names_of(*option).empty()) out += fmt::format(" \\fI{}\\fR", roff(option->get_name(true)));
  }
  out += "\n.SH OPTIONS\n" + options_section(app);
  if (!subcommands(app).empty()) {
    out += ".SH COMMANDS\n";
    for (const CLI::App* sub : subcommands(app))
      out += fmt::format(".TP\n.B {}\n{}\n", roff(sub->get_name()), roff(sub->get_description()));
  }
  if (!app.get_footer().empty()) out += fmt::format(".SH EXAMPLES\n.nf\n{}\n.fi\n", roff(app.get_footer()));
  return out + ".SH EXIT STATUS\n0 no finding, 1 a finding, 2 bad input or usage, 3 undecided.\n";
}

std::string completion_script(const CLI::App& app, Shell shell) {
  return shell == Shell::bash ? bash(app) : shell == Shell::zsh ? zsh(app) : fish(app);
}

}  // namespace muster
