#include "runtime/cut.hpp"

#include <fmt/format.h>

namespace muster {

std::string why_cut(const Schedule& schedule, const RuntimeOptions& options) {
  if (schedule.full())
    return fmt::format("the execution made {} decisions, as many as a schedule has room for", +Schedule::capacity);
  const bool reduced = schedule.size() > 0 && schedule[0].reduced && !options.serial;
  if (reduced && longest_reduced < options.step_limit) {
    return fmt::format(
        "the execution reached {} steps, as many as a search by classes follows (--strategy dfs has --step-limit {}): "
        "possibly a livelock",
        longest_reduced, options.step_limit);
  }
  return fmt::format("the execution reached the step limit (--step-limit {}): possibly a livelock", options.step_limit);
}

}  // namespace muster
