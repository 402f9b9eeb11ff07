#pragma once
// The edge of a program, where bad input ends.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace muster {

/// Runs a program's main; bad input becomes one line, which begins with the program's name, and exit code 2.
int run_to_the_edge(std::string_view program, int (*run)(int, char**), int argc, char** argv);

/// What a message quotes of a file may be anything: bytes that a terminal does not print are told by their numbers, and
/// no line is longer than a few of a terminal.
std::string printable(std::string_view message);

/// Does a part of a program's work; bad input becomes one line, is given back, and ends no other part.
std::optional<std::string> complaint_of(std::string_view program, const std::function<void()>& part);

}  // namespace muster
