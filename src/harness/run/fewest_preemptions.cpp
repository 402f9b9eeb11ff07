#include "harness/run/fewest_preemptions.hpp"

#include <memory>
#include <utility>

#include "harness/options/sites.hpp"
#include "harness/steps/replayed.hpp"

namespace muster {
namespace {

bool same_place(const Incident& a, const Incident& b) {
  return a.kind == b.kind && static_cast<std::uint32_t>(a.place.site) == static_cast<std::uint32_t>(b.place.site) &&
         static_cast<std::uint32_t>(a.earlier.site) == static_cast<std::uint32_t>(b.earlier.site);
}

/// Ends the search at the first execution that shows the same, or after so many.
class SeekingTask final : public Task {
 public:
  SeekingTask(std::unique_ptr<Task> teller) : teller_(std::move(teller)) {}
  Observer& observer() override { return teller_->observer(); }
  void begin_execution() override { teller_->begin_execution(); }
  bool end_execution(const Execution& execution, const Schedule& schedule, Engine& engine) override {
    constexpr unsigned most_executions = 2'000;
    return teller_->end_execution(execution, schedule, engine) && ++executions_ < most_executions;
  }

 private:
  std::unique_ptr<Task> teller_;
  unsigned executions_ = 0;
};

/// Keeps the first report that is about the same.
class Sought final : public Collector {
 public:
  explicit Sought(const Incident& incident) : incident_(incident) {}
  void message(std::span<const std::byte> bytes) override { take(IncidentReport::decode(bytes)); }
  bool died(const Incident& death, const Journal& journal, const RacySites& racy_sites, std::uint64_t) override {
    IncidentReport report{.incident = death, .schedule = {}, .racy_sites = {}};
    racy_sites.for_each([&](std::uint32_t site) { report.racy_sites.push_back(site); });
    const auto decisions = journal.schedule.decisions();
    report.schedule.assign(decisions.begin(), decisions.end());
    take(std::move(report));
    return true;
  }

  std::optional<IncidentReport> report;

 private:
  void take(IncidentReport met) {
    if (!report && same_place(met.incident, incident_)) report = std::move(met);
  }
  const Incident& incident_;
};

}  // namespace

IncidentReport with_fewest_preemptions(const Program& program, IncidentReport report, const HarnessOptions& options) {
  const unsigned preemptions = count_preemptions(report.schedule);
  if (!report.drawn || preemptions == 0) return report;
  StrategyConfig strategy;
  strategy.preemptions = preemptions - 1;
  strategy.late_yields = 0;
  ExploreOptions how = options.explore;
  how.jobs = 1;  // then the result depends on nothing else
  how.progress = {};
  how.runtime.outlive_faults = true;
  Sought sought(report.incident);
  const auto make_task = [&](Channel& channel, const RacySites& sites, std::uint64_t executions) {
    return std::make_unique<SeekingTask>(
        std::make_unique<IncidentTask>(channel, sites, true, how.runtime.leaks, executions));
  };
  const auto racy_sites = make_racy_sites(report.racy_sites);
  explore(program, strategy, make_task, sought, *racy_sites, how);
  if (!sought.report || count_preemptions(sought.report->schedule) >= preemptions) return report;
  report.schedule = std::move(sought.report->schedule);
  report.racy_sites = std::move(sought.report->racy_sites);
  report.incident = sought.report->incident;
  return report;
}

}  // namespace muster
