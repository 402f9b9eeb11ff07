#pragma once
// What a test does serially, as a tree: calls with their answers from the root on, every path a serial history.

#include <string>
#include <vector>

#include "rule/result.hpp"
#include "rule/test.hpp"

namespace muster {

/// For a terminal: one line a call, paths share their beginnings.
std::string draw_serial_tree(const CheckDefinition& check, const Test& test, const std::vector<SerialRun>& runs);

/// The same as a picture.
std::string draw_serial_tree_svg(const CheckDefinition& check, const Test& test, const std::vector<SerialRun>& runs);

}  // namespace muster
