#pragma once
// Compiled as C++17, in which the library alone holds the code of std::string.

#include <string>

void append(std::string& text, const char* more);
bool is_same(const std::string& text, const char* other);
std::string joined(std::string text, int times);
