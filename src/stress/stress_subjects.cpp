#include "stress/stress_subjects.hpp"

#include <utility>

namespace muster {
namespace {

Result run(const Subject& subject, const StressPlanOfAll& plan, const StressCheckOptions& options) {
  return subject.check ? stress_check(*subject.check, plan.tests, options)
                       : stress_scenario(*subject.scenario, plan.scenario_runs, options);
}

}  // namespace

void stress_all(const StressPlanOfAll& plan, const StressListener& listener) {
  Halt halt(plan.options.deadline, plan.options.interrupted);
  for (std::size_t i = 0; i < plan.subjects.size(); ++i) {
    const Subject& subject = plan.subjects[i];
    if (halt.order() != Halt::Order::go_on) {
      listener.tell(
          not_run(subject.name(), subject.source(), halt.is_late() ? stopped_by_budget : stopped_by_somebody));
      continue;
    }
    StressCheckOptions options = plan.options;
    options.deadline = Halt::share(plan.options.deadline, plan.subjects.size() - i);
    options.progress = [&](const StressProgress& progress) { listener.progress(subject, progress); };
    try {
      listener.tell(run(subject, plan, options));
    } catch (const Error& error) {
      listener.complain(subject, error);
    }
  }
}

}  // namespace muster
