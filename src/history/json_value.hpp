#pragma once
// Values from JSON.

#include <simdjson.h>

#include <string_view>

#include "history/value.hpp"

namespace muster {

/// Throws Error naming file and line where values are nested too deeply.
Value json_value(simdjson::dom::element json, std::string_view file, std::uint32_t line, unsigned depth = 0);

}  // namespace muster
