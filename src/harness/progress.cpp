#include "harness/progress.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "report/progress_line.hpp"
#include "report/terminal.hpp"

namespace muster {

std::string describe(const Coverage& coverage, const std::string& name) {
  const std::string what = coverage.unbounded
                               ? std::string("all schedules")
                               : fmt::format("bound {}", coverage.some_bound_exhausted ? coverage.preemptions + 1 : 0);
  // What matters most comes first: a narrow terminal cuts the rest.
  return fmt::format("{}: about {:.0f} % of {}, {}; {} executions, {}", name, coverage.counters.share_done * 100, what,
                     findings_so_far(coverage.findings), with_commas(coverage.counters.executions),
                     rate(coverage.counters.executions, coverage.seconds));
}

std::string describe(const TestProgress& progress, const std::string& name, double seconds) {
  const double share =
      progress.count ? 100 * (static_cast<double>(progress.done) + progress.begun) / static_cast<double>(progress.count)
                     : 100;
  return fmt::format("{}: about {:.0f} %, {} of {} tests, {}; {} executions, {}, {} histories", name,
                     std::min(share, 100.0), with_commas(progress.done), with_commas(progress.count),
                     findings_so_far(progress.failing), with_commas(progress.executions),
                     rate(progress.executions, seconds), with_commas(progress.histories));
}

}  // namespace muster
