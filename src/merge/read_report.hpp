#pragma once
// Reads reports that `to_json` wrote, by this version or an earlier one.

#include <string>
#include <string_view>

#include "finding/finding.hpp"

namespace muster {

/// Throws Error, naming `name` and the place in the document, where something is not as the schema says.
Report parse_report(std::string_view text, const std::string& name);

Report read_report(const std::string& path);

}  // namespace muster
