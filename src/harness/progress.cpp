#include "harness/progress.hpp"

#include <fmt/core.h>

#include "report/progress_line.hpp"
#include "report/terminal.hpp"

namespace muster {

std::string describe(const Coverage& coverage, const std::string& name) {
  const std::string what = coverage.unbounded
                               ? std::string("all schedules")
                               : fmt::format("bound {}", coverage.some_bound_exhausted ? coverage.preemptions + 1 : 0);
  return fmt::format("{}: {} executions, {}, about {:.0f} % of {}, {}", name,
                     with_commas(coverage.counters.executions), rate(coverage.counters.executions, coverage.seconds),
                     coverage.counters.share_done * 100, what, findings_so_far(coverage.findings));
}

std::string describe(const TestProgress& progress, const std::string& name, double seconds) {
  const double share =
      progress.count ? 100 * (static_cast<double>(progress.done) + progress.begun) / static_cast<double>(progress.count)
                     : 100;
  return fmt::format("{}: {} executions, {}, {} histories, {} of {} tests (about {:.0f} %), {}", name,
                     with_commas(progress.executions), rate(progress.executions, seconds),
                     with_commas(progress.histories), with_commas(progress.done), with_commas(progress.count), share,
                     findings_so_far(progress.failing));
}

}  // namespace muster
