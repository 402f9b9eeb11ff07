#pragma once
// Draws results about what was recorded elsewhere, logs and traces, for a terminal or a pipe.

#include <string>

#include "report/terminal.hpp"

namespace muster {

std::string draw_log(const Result& result, const TerminalStyle& style);
std::string draw_trace(const Result& result, const TerminalStyle& style);

}  // namespace muster
