#include "harness/progress.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "report/painter.hpp"
#include "report/terminal.hpp"

namespace muster {
namespace {

std::string rate(std::uint64_t count, double seconds) {
  return with_commas(static_cast<std::uint64_t>(static_cast<double>(count) / std::max(seconds, 0.001)));
}

std::string findings(std::uint64_t count) {
  return count == 0 ? "no finding yet" : fmt::format("{} finding{}", count, count == 1 ? "" : "s");
}

}  // namespace

std::string describe(const Coverage& coverage, const std::string& name) {
  const std::string what = coverage.unbounded
                               ? std::string("all schedules")
                               : fmt::format("bound {}", coverage.some_bound_exhausted ? coverage.preemptions + 1 : 0);
  return fmt::format("{}: {} executions, {} a second, about {:.0f} % of {}, {}", name,
                     with_commas(coverage.counters.executions), rate(coverage.counters.executions, coverage.seconds),
                     coverage.counters.share_done * 100, what, findings(coverage.findings));
}

std::string describe(const TestProgress& progress, const std::string& name, double seconds) {
  const double share =
      progress.count ? 100 * (static_cast<double>(progress.done) + progress.begun) / static_cast<double>(progress.count)
                     : 100;
  return fmt::format("{}: {} executions, {} a second, {} histories, {} of {} tests (about {:.0f} %), {}", name,
                     with_commas(progress.executions), rate(progress.executions, seconds),
                     with_commas(progress.histories), with_commas(progress.done), with_commas(progress.count), share,
                     findings(progress.failing));
}

void ProgressLine::show(const Coverage& coverage) { print(describe(coverage, name_)); }

void ProgressLine::show(const TestProgress& progress) {
  print(describe(progress, name_, std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count()));
}

void ProgressLine::print(const std::string& text) {
  if (!terminal_ || std::chrono::steady_clock::now() - started_ < std::chrono::seconds(1)) return;
  shown_ = true;
  // A line that wraps could not be taken back.
  fmt::print(stderr, "\r\033[K{}", shortened(text, TerminalStyle::for_file(stderr, "").width - 1));
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (shown_) fmt::print(stderr, "\r\033[K");
  shown_ = false;
}

}  // namespace muster
