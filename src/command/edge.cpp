#include "command/edge.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <exception>

#include "base/error.hpp"

namespace muster {

int run_to_the_edge(std::string_view program, int (*run)(int, char**), int argc, char** argv) {
  int code = static_cast<int>(ExitCode::bad_input);
  complaint_of(program, [&] { code = run(argc, argv); });
  return code;
}

std::string printable(std::string_view message) {
  constexpr std::size_t longest = 2000;
  std::string out;
  for (std::size_t i = 0; i < message.size() && out.size() < longest; ++i) {
    const auto byte = static_cast<unsigned char>(message[i]);
    // A character of UTF-8: as many bytes with 10 in front as its first byte says.
    const std::size_t following = byte >> 5 == 6 ? 1 : byte >> 4 == 14 ? 2 : byte >> 3 == 30 ? 3 : 0;
    std::size_t length = 1;
    while (length <= following && i + length < message.size() && (message[i + length] & 0xC0) == 0x80) ++length;
    const bool plain = byte == '\n' || (byte >= 0x20 && byte < 0x7F);
    if (plain || (following > 0 && length == following + 1)) {
      out += message.substr(i, length);
      i += length - 1;
    } else {
      out += fmt::format("\\x{:02x}", byte);
    }
  }
  return out.size() < longest ? out : out + " …";
}

std::optional<std::string> complaint_of(std::string_view program, const std::function<void()>& part) {
  try {
    part();
  } catch (const std::exception& error) {
    std::fflush(stdout);  // what was said before comes first
    const std::string complaint = printable(error.what());
    fmt::print(stderr, "{}: {}\n", program, complaint);
    return complaint;
  }
  return std::nullopt;
}

}  // namespace muster
