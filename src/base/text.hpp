#pragma once
// Widths as people count them: characters, not bytes.

#include <string>
#include <string_view>

namespace muster {

/// Continuation bytes of UTF-8 take no room, nor do colours.
inline std::size_t width_of(std::string_view text) {
  std::size_t count = 0;
  bool colour = false;
  for (const char c : text) {
    colour |= c == '\033';
    count += !colour && (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    colour &= c != 'm';
  }
  return count;
}

/// Filled up with spaces.
inline std::string padded(std::string_view text, std::size_t width) {
  const std::size_t there = width_of(text);
  return std::string(text) + std::string(width > there ? width - there : 0, ' ');
}

}  // namespace muster
