#pragma once

#include <string_view>

namespace muster {

/// Functions of the C library that are not watched and need not be: what they do orders no two threads, and nothing of
/// it outlasts the call. Null if the function is none of these, else the reason.
const char* why_harmless(std::string_view function);

}  // namespace muster
