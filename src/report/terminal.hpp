#pragma once
// Draws results for a terminal or a pipe.

#include <cstdio>
#include <string>

#include "finding/finding.hpp"

namespace muster {

struct TerminalStyle {
  bool colours = false;
  unsigned width = 100;
  bool terminal = false;              // long lines are broken; in a pipe somebody may look for a whole one
  bool explain = false;               // of logs: also what shows a failure, and what order explains the rest
  std::string program = "./program";  // for the commands that a report proposes

  /// Colours and width as `file` allows.
  static TerminalStyle for_file(std::FILE* file, std::string program);
};

std::string draw(const Result& result, const TerminalStyle& style);

/// The same in pieces: each finding, the commands for one that was saved, and what was covered.
std::string draw_finding(const Finding& finding, const TerminalStyle& style);
std::string draw_commands(const Finding& finding, const TerminalStyle& style);
std::string draw_end(const Result& result, const TerminalStyle& style);

/// 1234567 as "1,234,567".
std::string with_commas(std::uint64_t number);

/// "1 history", "2,000 histories".
std::string counted(std::uint64_t number, std::string_view one, std::string_view several);

/// Two digits of an estimate, and how many follow: "2,300,000"; "10^17".
std::string about(double number);

}  // namespace muster
