#pragma once
// The words for what becomes of freed blocks.

#include <string>
#include <string_view>

#include "runtime/program.hpp"

namespace muster {

std::string_view name(HeapPolicy policy);
/// Throws Error for a word that names none.
HeapPolicy parse_heap_policy(const std::string& text);

}  // namespace muster
