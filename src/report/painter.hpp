#pragma once
// Text with colours, or without; widths as people count them.

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/text.hpp"

namespace muster {

class Painter {
 public:
  explicit Painter(bool colours) : colours_(colours) {}
  std::string paint(const char* code, std::string_view text) const {
    return colours_ ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
  }
  std::string bad(std::string_view text) const { return paint("1;31", text); }
  std::string good(std::string_view text) const { return paint("1;32", text); }
  std::string unsure(std::string_view text) const { return paint("1;33", text); }
  std::string faint(std::string_view text) const { return paint("2", text); }
  std::string strong(std::string_view text) const { return paint("1", text); }

 private:
  bool colours_;
};

/// Cut to at most so many characters, with an ellipsis where something is missing.
std::string shortened(std::string_view text, std::size_t width);

/// In lines of at most `width`, broken at spaces, as text that begins at `column`; all but the first are indented. A
/// word that is too long stays whole, so that commands can be copied.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent, std::size_t column = 0);

}  // namespace muster
