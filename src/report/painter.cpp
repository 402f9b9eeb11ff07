#include "report/painter.hpp"

#include <algorithm>

namespace muster {

std::string shortened(std::string_view text, std::size_t width) {
  if (width_of(text) <= width || width == 0) return std::string(text);
  std::size_t bytes = 0;
  for (std::size_t kept = 0; bytes < text.size(); ++bytes) {
    const bool starts = (static_cast<unsigned char>(text[bytes]) & 0xc0) != 0x80;
    if (starts && kept++ == width - 1) break;
  }
  return std::string(text.substr(0, bytes)) + "…";
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent, std::size_t column) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t needed = width_of(word);
    if (column > indent && column + needed > width) {
      while (!out.empty() && out.back() == ' ') out.pop_back();
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    out += word;
    column += needed;
    text.remove_prefix(end);
    while (text.starts_with(' ')) {
      text.remove_prefix(1);
      out += ' ';
      ++column;
    }
  }
  return out;
}

}  // namespace muster
