#pragma once
// Reports as one self-contained page: it loads nothing, and shows the source as it was when the report was made.

#include <map>
#include <string>

#include "finding/finding.hpp"

namespace muster {

/// Lines of files around the steps of findings: by path, by number.
using SourceLines = std::map<std::string, std::map<int, std::string>>;

/// Reads them; a file that is not there, or is no text of ordinary size, is left out.
SourceLines read_sources(const Report& report);

std::string to_html(const Report& report, const SourceLines& sources);

}  // namespace muster
