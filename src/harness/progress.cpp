#include "harness/progress.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "report/progress_line.hpp"
#include "report/terminal.hpp"

namespace muster {

namespace {

/// "12,345", or "12,345 of about 2,300,000".
std::string so_many(std::uint64_t executions, double left) {
  return with_commas(executions) +
         (left > 0 ? fmt::format(" of about {}", about(static_cast<double>(executions) + left)) : "");
}

}  // namespace

std::string describe(const Coverage& coverage, const std::string& name) {
  const unsigned late = coverage.under_way.late_yields;
  std::string what =
      coverage.unbounded ? std::string("all schedules") : fmt::format("bound {}", coverage.under_way.preemptions);
  if (late > 0) what += fmt::format(" with {} late yield{}", late, late == 1 ? "" : "s");
  const std::uint64_t executions = coverage.counters.executions;
  // What matters most comes first: a narrow terminal cuts the rest.
  return fmt::format("{}: about {:.0f} % of {}, {}; {} executions, {}", name, coverage.counters.share_done * 100, what,
                     findings_so_far(coverage.findings), so_many(executions, coverage.left),
                     rate(executions, coverage.seconds));
}

std::string describe(const TestProgress& progress, const std::string& name, double seconds) {
  const double share =
      progress.count ? 100 * (static_cast<double>(progress.done) + progress.begun) / static_cast<double>(progress.count)
                     : 100;
  return fmt::format("{}: about {:.0f} %, {} of {} tests, {}; {} executions, {}, {} histories", name,
                     std::min(share, 100.0), with_commas(progress.done), with_commas(progress.count),
                     findings_so_far(progress.failing), so_many(progress.executions, progress.left),
                     rate(progress.executions, seconds), with_commas(progress.histories));
}

}  // namespace muster
