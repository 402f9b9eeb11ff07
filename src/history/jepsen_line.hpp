#pragma once
// One line of a Jepsen log: `INFO  jepsen.util - 0<tab>:invoke<tab>:read<tab>nil`, with tabs or blanks.

#include <algorithm>
#include <optional>
#include <string_view>

namespace muster {

struct JepsenLine {
  std::string_view process, type, name, value;
};

/// The entry on this line; nothing if the line is something else.
inline std::optional<JepsenLine> find_jepsen_line(std::string_view line) {
  constexpr std::string_view blanks = " \t";
  const auto next_word = [&](std::size_t& at) {
    const std::size_t start = line.find_first_not_of(blanks, at);
    if (start == line.npos) {
      at = line.size();
      return std::string_view();
    }
    at = std::min(line.find_first_of(blanks, start), line.size());
    return line.substr(start, at - start);
  };
  if (line.starts_with('{') || line.starts_with('[') || line.starts_with('(')) return std::nullopt;
  std::string_view before;
  for (std::size_t at = 0; at < line.size();) {
    const std::string_view word = next_word(at);
    if (word == ":invoke" || word == ":ok" || word == ":fail" || word == ":info") {
      const std::string_view name = next_word(at);
      if (before.empty() || before == ":type" || !name.starts_with(':')) return std::nullopt;
      // Values hold blanks, but what may follow a value (an error) is set off by a tab.
      const std::size_t start = std::min(line.find_first_not_of(blanks, at), line.size());
      const std::size_t end = std::min(line.find('\t', start), line.size());
      return JepsenLine{before, word, name.substr(1), line.substr(start, end - start)};
    }
    before = word;
  }
  return std::nullopt;
}

}  // namespace muster
