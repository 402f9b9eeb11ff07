#pragma once
// Running Muster's programs and looking at what they print.

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace reproduce {

/// Standard output of a shell command. One that the shell cannot start ends this program: nothing is no result.
inline std::string output_of(const std::string& command) {
  std::string text;
  FILE* const pipe = popen(command.c_str(), "r");
  if (!pipe) return text;
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, count);
  const int status = pclose(pipe);
  if (WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127)) std::exit(2);
  return text;
}

inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// The number that stands directly before `word`, with or without commas; 0 if there is none.
inline std::uint64_t number_before(const std::string& text, const std::string& word) {
  const std::size_t end = text.find(word);
  if (end == std::string::npos || end == 0) return 0;
  std::string digits = text.substr(text.find_last_not_of("0123456789,", end - 1) + 1, end);
  digits.resize(digits.find_first_not_of("0123456789,"));
  std::erase(digits, ',');
  return digits.empty() ? 0 : std::stoull(digits);
}

}  // namespace reproduce
