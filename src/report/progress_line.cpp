#include "report/progress_line.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

#include "report/painter.hpp"
#include "report/terminal.hpp"

namespace muster {

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO)) {}

double ProgressLine::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

void ProgressLine::show(const std::string& text) {
  if (!terminal_ || seconds() < 1) return;
  shown_ = true;
  // A line that wraps could not be taken back.
  fmt::print(stderr, "\r\033[K{}", shortened(text, TerminalStyle::for_file(stderr, "").width - 1));
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (shown_) fmt::print(stderr, "\r\033[K");
  shown_ = false;
}

std::string rate(std::uint64_t count, double seconds) {
  return with_commas(static_cast<std::uint64_t>(static_cast<double>(count) / std::max(seconds, 0.001))) + " a second";
}

std::string findings_so_far(std::uint64_t count) {
  return count == 0 ? "no finding yet" : fmt::format("{} finding{}", count, count == 1 ? "" : "s");
}

}  // namespace muster
