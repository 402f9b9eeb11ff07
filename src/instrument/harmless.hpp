#pragma once

#include <string_view>

namespace muster {

/// Functions of the C library that are not watched and need not be: what they do orders no two threads, and nothing of
/// it outlasts the call. Null if the function is none of these, else the reason.
const char* why_harmless(std::string_view function);

/// The same of the library of C++, by the name of its file and the function's name in words, with its parameters.
bool is_harmless_in_standard_library(std::string_view library, std::string_view function);

// What the lists in `harmless/` hold: a pattern a line, in which * stands for anything.
extern const std::string_view harmless_in_libstdcxx, harmless_in_libstdcxx_clang, harmless_in_libcxx;

}  // namespace muster
