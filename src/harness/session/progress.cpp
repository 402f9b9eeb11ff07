#include "harness/session/progress.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "report/progress_line.hpp"
#include "report/terminal.hpp"

namespace muster {

namespace {

/// "about 2,300,000 in all", where that can be told.
std::string in_all(std::uint64_t executions, double left) {
  return left > 0 ? fmt::format("about {} in all", about(static_cast<double>(executions) + left)) : "";
}

}  // namespace

std::string describe(const Coverage& coverage, const std::string& name) {
  const unsigned late = coverage.under_way.late_yields;
  std::string what =
      coverage.unbounded ? std::string("all schedules") : fmt::format("bound {}", coverage.under_way.preemptions);
  if (late > 0) what += fmt::format(" with {} late yield{}", late, late == 1 ? "" : "s");
  const std::uint64_t executions = coverage.counters.executions;
  // What matters most comes first: a narrow terminal cuts the rest.
  const std::string all = in_all(executions, coverage.left);
  return fmt::format("{}: about {:.0f} % of {}, {}; {} executions, {}{}", name, coverage.counters.share_done * 100,
                     what, findings_so_far(coverage.findings), with_commas(executions),
                     rate(executions, coverage.seconds), all.empty() ? "" : "; " + all);
}

std::string describe(const TestProgress& progress, const std::string& name, double seconds) {
  const double share =
      progress.count ? 100 * (static_cast<double>(progress.done) + progress.begun) / static_cast<double>(progress.count)
                     : 100;
  const std::string all = in_all(progress.executions, progress.left);
  return fmt::format("{}: about {:.0f} %, {}; {} executions, {}, {} histories; {} of {} tests{}{}", name,
                     std::min(share, 100.0), findings_so_far(progress.failing), with_commas(progress.executions),
                     rate(progress.executions, seconds), with_commas(progress.histories), with_commas(progress.done),
                     with_commas(progress.count), progress.round.empty() ? "" : " (" + progress.round + ")",
                     all.empty() ? "" : ", " + all);
}

}  // namespace muster
