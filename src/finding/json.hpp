#pragma once
// Reports as JSON. `merge/` reads them back.

#include <string>
#include <string_view>

#include "finding/finding.hpp"

namespace muster {

enum class JsonLayout { indented, compact };

/// Versioned; described by docs/reference/report.schema.json. Bytes that are no UTF-8 become U+FFFD.
std::string to_json(const Report& report, JsonLayout layout = JsonLayout::indented);

/// In quotes, with everything escaped that may not stand inside a JSON string, or inside a <script> of a page.
void append_json_text(std::string& out, std::string_view text);

}  // namespace muster
